import { identifierOf, parametersOf, parseMessage } from '@servicekit/catalog/inspection'
import { formNames } from '@servicekit/core'
import type { KeyRecord } from '../state/records.ts'

const form = new RegExp(`_(?:${formNames.join('|')})$`)

/** Returns TypeScript that shows a message with the function that the plugin generates. */
export function messageCode(
  { module, key }: Pick<KeyRecord, 'module' | 'key'>,
  source: string,
): string {
  const name = identifierOf(key.replace(form, ''))
  const parameters = [...new Set(parametersOf(parseMessage(source)))]
    .map((one) => (/^[A-Za-z_$][\w$]*$/.test(one) ? one : `${JSON.stringify(one)}: ''`))
    .join(', ')
  const call = `${name}(${parameters && `{ ${parameters} }`})`
  return `import { ${name} } from '~uilm/${module}'\n\n${call}\n`
}
