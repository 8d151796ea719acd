import {
  hasStringExport,
  type MessageModel,
  type Reactive,
  stringLiteral,
} from '@servicekit/catalog'
import { modulePrefix, runtimeSpecifier } from './ids.ts'

/** Returns the name and, if it differs and is a legal export name, the exact key. */
export function exportNames(message: MessageModel): readonly string[] {
  return hasStringExport(message) ? [message.name, stringLiteral(message.key)] : [message.name]
}

/** Returns the import of functions of the runtime. */
export const imports = (...names: readonly string[]): string =>
  `import { ${names.join(', ')} } from '${runtimeSpecifier}'`

/**
 * Returns the import of the function that creates messages: from the runtime, or from an
 * adapter that tracks calls.
 */
export const createImport = (reactive: Reactive | undefined, name: string): string =>
  `import { message as ${name} } from '${reactive ? modulePrefix + reactive : runtimeSpecifier}'`

export const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
