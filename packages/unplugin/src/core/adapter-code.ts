import { type AdapterName, emitAdapter, type Reactive } from '@servicekit/catalog'
import { modulePrefix, runtimeSpecifier } from './ids.ts'

export const reactives: readonly Reactive[] = ['vue', 'svelte', 'solid']

/**
 * Returns the code of an adapter. That of a reactive framework also creates the messages
 * (`message`).
 */
export const adapterCode = (adapter: AdapterName, storageKey: string): string =>
  emitAdapter(adapter, {
    storageKey,
    specifierOf: (name) => (name === 'runtime' ? runtimeSpecifier : modulePrefix + name),
    tracking: 'create',
  })
