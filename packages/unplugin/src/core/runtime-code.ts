import { emitProject, type RuntimeFile, runtimeFile } from '@servicekit/catalog'
import { runtimePrefix, withSpecifiers } from './ids.ts'
import type { CodeOptions } from './virtual-code.ts'

/** Returns the code of a file of the runtime. */
export const runtimeFileCode = (name: RuntimeFile): string =>
  withSpecifiers(runtimeFile(name), runtimePrefix)

/** Returns the code of `~uilm`. */
export function runtimeCode({ inline, dev, server }: CodeOptions): string {
  // Development includes all languages.
  if (inline !== undefined && !dev) return runtimeFileCode('one-language-runtime')
  return runtimeFileCode(server ? 'server-runtime' : 'page-runtime')
}

/** Returns the code of the module with the configuration of the project. */
export const projectCode = ({ model, storageKey, inline, cookie, live }: CodeOptions): string =>
  emitProject({
    ...model.catalog,
    storageKey,
    initialLanguage: inline,
    storesCookie: cookie ?? false,
    live,
  })
