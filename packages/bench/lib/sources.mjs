import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printArgument } from './generate-catalog.mjs'

/**
 * Writes the code of an application that uses most of the generated messages: half of the
 * files with typed imports, a quarter with i18next, and a quarter without messages.
 *
 * @param {string} root
 * @param {import('./generate-catalog.mjs').GeneratedCatalog} catalog
 * @param {number} count number of files
 * @returns {{ used: number }} number of used keys
 */
export function writeSources(root, catalog, count) {
  const used = new Set()
  for (let index = 0; index < count; index++) {
    const first = Math.floor((index / count) * catalog.messages.length)
    const { module = '' } = catalog.messages[first] ?? {}
    const messages = catalog.messages
      .slice(first, first + 4)
      .filter((message) => message.module === module)
    const style = [typedImports, typedImports, i18nextCalls, noMessages][index % 4] ?? noMessages
    if (style !== noMessages) for (const { key } of messages) used.add(`${module} ${key}`)
    const file = join(root, 'src', `area-${index % 40}`, `page-${index}.tsx`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, page(index, style(module, messages), messages))
  }
  return { used: used.size }
}

/**
 * Code with which a file accesses its messages.
 *
 * @typedef {object} MessageCode
 * @property {string} imports
 * @property {(message: Message) => string} call
 *
 * @typedef {import('./generate-catalog.mjs').GeneratedMessage} Message
 *
 * @typedef {(module: string, messages: readonly Message[]) => MessageCode} Style
 */

/** @param {Message} message */
const argumentOf = (message) => printArgument(message, () => `'x'`)

/** @type {Style} */
const typedImports = (module, messages) => ({
  imports: `import { ${messages.map(({ key }) => key).join(', ')} } from '~uilm/${module}'\n`,
  call: (message) => `${message.key}(${argumentOf(message)})`,
})

/** @type {Style} */
const i18nextCalls = (module) => ({
  imports: `import i18next from 'i18next'\nconst t = i18next.getFixedT(null, '${module}')\n`,
  call: (message) => {
    const argument = argumentOf(message)
    return `t('${message.key}'${argument && `, ${argument}`})`
  },
})

/** @type {Style} */
const noMessages = () => ({ imports: '', call: () => `'nothing'` })

/**
 * Returns a file of about 60 lines, the size of a component.
 *
 * @param {number} index
 * @param {MessageCode} code
 * @param {readonly Message[]} messages
 */
function page(index, { imports, call }, messages) {
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
${imports}
export interface Page${index}Props {
  readonly open: boolean
  readonly onClose: (reason: 'done' | 'left') => void
}

export function Page${index}({ open, onClose }: Page${index}Props) {
${handlers.join('\n')}
  return (
    <section>
${messages.map((message) => `      <p>{${call(message)}}</p>`).join('\n')}
${inputs.join('\n')}
      <button type="button" onClick={() => onClose('done')}>x</button>
    </section>
  )
}
`
}
