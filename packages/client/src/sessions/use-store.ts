import * as React from 'react'

type UseStore = typeof React.useSyncExternalStore

/** React 17 has no `useSyncExternalStore`. It does not interrupt the rendering of a tree. */
const useStoreByEffect: UseStore = (subscribe, get) => {
  const [value, setValue] = React.useState(get)
  React.useEffect(() => {
    const update = (): void => setValue(get)
    update()
    return subscribe(update)
  }, [subscribe, get])
  return value
}

export const useStore: UseStore =
  (React as { readonly useSyncExternalStore?: UseStore }).useSyncExternalStore ?? useStoreByEffect
