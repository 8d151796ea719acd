import { identifierOf } from '@servicekit/catalog/inspection'

/** Returns TypeScript that shows a message with the function that the plugin generates. */
export function messageCode(module: string, key: string, parameters: Iterable<string>): string {
  const name = identifierOf(key)
  const members = Array.from(parameters, (one) =>
    /^[A-Za-z_$][\w$]*$/.test(one) ? one : `${JSON.stringify(one)}: ''`,
  ).join(', ')
  const call = `${name}(${members && `{ ${members} }`})`
  return `import { ${name} } from '~uilm/${module}'\n\n${call}\n`
}
