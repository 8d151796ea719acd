import type { Route } from '../route.ts'

/** Lists the languages of a project, localization family. @see section 4.6 */
export const localizationListLanguages = {
  id: 'localization.listLanguages',
  method: 'GET',
  path: '/localization/v4/Language/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  access: 'key',
} as const satisfies Route

/**
 * Returns the translation file of one language and module, localization family.
 * @see section 4.6
 */
export const localizationGetFile = {
  id: 'localization.getFile',
  method: 'GET',
  path: '/localization/v4/Key/GetUilmFile',
  query: ['Language', 'ModuleName', 'ProjectKey'],
  effect: 'read',
  access: 'key',
} as const satisfies Route

/** Lists the modules of a project, localization family; an extension that most instances offer. */
export const localizationListModules = {
  id: 'localization.listModules',
  method: 'GET',
  path: '/localization/v4/Module/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  access: 'key',
} as const satisfies Route

/** Lists the languages of a project, uilm family. @see section 4.6 */
export const uilmListLanguages = {
  id: 'uilm.listLanguages',
  method: 'GET',
  path: '/uilm/v1/Language/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  access: 'key',
} as const satisfies Route

/** Returns the translation file of one language and module, uilm family. @see section 4.6 */
export const uilmGetFile = {
  id: 'uilm.getFile',
  method: 'GET',
  path: '/uilm/v1/Key/GetUilmFile',
  query: ['Language', 'ModuleName', 'ProjectKey'],
  effect: 'read',
  access: 'key',
} as const satisfies Route

/** Lists the modules of a project, uilm family; an extension that most instances offer. */
export const uilmListModules = {
  id: 'uilm.listModules',
  method: 'GET',
  path: '/uilm/v1/Module/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  access: 'key',
} as const satisfies Route
