import type { entryNames } from '../model/names.ts'
import { declarationFile } from '../runtime-files.ts'

/** Name of a module below `~uilm` for a framework or a server. */
export type AdapterName = Exclude<(typeof entryNames)[number], 'i18next'>

/**
 * Returns the declarations of the adapter for a framework or a server, without the import of
 * `Language` from the runtime. They do not require the framework to be installed.
 *
 * @param serverSpecifier Specifier of the adapter `server`, whose types others use.
 */
export function adapterTypes(name: AdapterName, serverSpecifier: string): string {
  const text = declarationFile(name).replace("'./server.js'", `'${serverSpecifier}'`)
  return name === 'server' ? `${declarationFile('localizer')}\n${text}` : text
}
