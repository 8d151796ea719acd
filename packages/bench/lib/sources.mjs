import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes the code of an application that uses most of the generated messages: half of the
 * files with typed imports, a quarter with i18next, the rest without messages.
 *
 * @param {string} root
 * @param {import('./texts.mjs').GeneratedTexts} texts
 * @param {number} count files
 * @returns {{ used: number }} number of used keys
 */
export function writeSources(root, texts, count) {
  const used = new Set()
  for (let index = 0; index < count; index++) {
    const first = Math.floor((index / count) * texts.keys.length)
    const { module = '' } = texts.keys[first] ?? {}
    const keys = texts.keys.slice(first, first + 4).filter((key) => key.module === module)
    const asks = index % 4 !== 3
    if (asks) for (const { key } of keys) used.add(`${module} ${key}`)
    const isTyped = index % 4 < 2
    const file = join(root, 'src', `area-${index % 40}`, `page-${index}.tsx`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, page(index, asks ? (isTyped ? typed : translated) : silent, module, keys))
  }
  return { used: used.size }
}

/** @typedef {{ head: string, call: (key: import('./texts.mjs').GeneratedKey) => string }} Asking */

/** @param {import('./texts.mjs').GeneratedKey} key */
const argumentsOf = ({ params }) =>
  params.length === 0 ? '' : `{ ${params.map((name) => `${name}: 'x'`).join(', ')} }`

/** @param {string} module @param {readonly import('./texts.mjs').GeneratedKey[]} keys @returns {Asking} */
const typed = (module, keys) => ({
  head: `import { ${keys.map(({ key }) => key).join(', ')} } from '~uilm/${module}'\n`,
  call: (key) => `${key.key}(${argumentsOf(key)})`,
})

/** @param {string} module @returns {Asking} */
const translated = (module) => ({
  head: `import i18next from 'i18next'\nconst t = i18next.getFixedT(null, '${module}')\n`,
  call: (key) => {
    const args = argumentsOf(key)
    return `t('${key.key}'${args && `, ${args}`})`
  },
})

/** @returns {Asking} */
const silent = () => ({ head: '', call: () => `'nothing'` })

/**
 * Returns a file of about 60 lines, the size of a component.
 *
 * @param {number} index
 * @param {(module: string, keys: readonly import('./texts.mjs').GeneratedKey[]) => Asking} asking
 * @param {string} module
 * @param {readonly import('./texts.mjs').GeneratedKey[]} keys
 */
function page(index, asking, module, keys) {
  const { head, call } = asking(module, keys)
  const handlers = Array.from(
    { length: 8 },
    (
      _,
      number,
    ) => `  const [value${number}, setValue${number}] = useState<number | undefined>(${number})
  const change${number} = useCallback((event: { target: { value: string } }) => {
    const next = Number.parseInt(event.target.value, 10)
    if (!Number.isNaN(next)) setValue${number}(next + (value${number} ?? 0))
  }, [value${number}])`,
  )
  const inputs = Array.from(
    { length: 8 },
    (_, number) =>
      `      <input value={value${number}} onChange={change${number}} disabled={!open} />`,
  )
  return `import { useCallback, useState } from 'react'
${head}
export interface Page${index}Props {
  readonly open: boolean
  readonly onClose: (reason: 'done' | 'left') => void
}

export function Page${index}({ open, onClose }: Page${index}Props) {
${handlers.join('\n')}
  return (
    <section>
${keys.map((key) => `      <p>{${call(key)}}</p>`).join('\n')}
${inputs.join('\n')}
      <button type="button" onClick={() => onClose('done')}>x</button>
    </section>
  )
}
`
}
