import { route } from './define.ts'

/** Lists the languages of a project, localization family. @see section 4.6 */
export const localizationListLanguages = /* @__PURE__ */ route({
  id: 'localization.listLanguages',
  method: 'GET',
  path: '/localization/v4/Language/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  section: '4.6',
})

/**
 * Returns the translation file of one language and module, localization family.
 * @see section 4.6
 */
export const localizationGetFile = /* @__PURE__ */ route({
  id: 'localization.getFile',
  method: 'GET',
  path: '/localization/v4/Key/GetUilmFile',
  query: ['Language', 'ModuleName', 'ProjectKey'],
  effect: 'read',
  section: '4.6',
})

/** Lists the modules of a project, localization family; an extension that most instances offer. */
export const localizationListModules = /* @__PURE__ */ route({
  id: 'localization.listModules',
  method: 'GET',
  path: '/localization/v4/Module/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  section: '4.6',
  extension: true,
})

/** Lists the languages of a project, uilm family. @see section 4.6 */
export const uilmListLanguages = /* @__PURE__ */ route({
  id: 'uilm.listLanguages',
  method: 'GET',
  path: '/uilm/v1/Language/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  section: '4.6',
})

/** Returns the translation file of one language and module, uilm family. @see section 4.6 */
export const uilmGetFile = /* @__PURE__ */ route({
  id: 'uilm.getFile',
  method: 'GET',
  path: '/uilm/v1/Key/GetUilmFile',
  query: ['Language', 'ModuleName', 'ProjectKey'],
  effect: 'read',
  section: '4.6',
})

/** Lists the modules of a project, uilm family; an extension that most instances offer. */
export const uilmListModules = /* @__PURE__ */ route({
  id: 'uilm.listModules',
  method: 'GET',
  path: '/uilm/v1/Module/Gets',
  query: ['ProjectKey'],
  effect: 'read',
  section: '4.6',
  extension: true,
})
