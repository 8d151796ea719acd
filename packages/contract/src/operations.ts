import * as data from './data.ts'
import * as localization from './localization.ts'
import type { Operation } from './operation.ts'

/** Every operation that is described so far, in the order of section 4. */
export const operations: readonly Operation[] = [
  data.listSchemas,
  data.execute,
  localization.listLanguages,
  localization.getFile,
  localization.listModules,
  localization.uilmListLanguages,
  localization.uilmGetFile,
  localization.uilmListModules,
]
