import type { Route } from './route.ts'

export { projectHeader } from './route.ts'
export type { Auth, Effect, Route } from './route.ts'

const route = <const Id extends string, const R extends Route<Id>>(value: R): R => value

/** Languages of a project, localization family. @see section 4.6 */
export const localizationListLanguages = /* @__PURE__ */ route({
  id: 'localization.listLanguages',
  method: 'GET',
  path: '/localization/v4/Language/Gets',
  query: ['ProjectKey'],
  auth: 'project',
  effect: 'read',
  section: '4.6',
})

/** Translation file of one language and module, localization family. @see section 4.6 */
export const localizationGetFile = /* @__PURE__ */ route({
  id: 'localization.getFile',
  method: 'GET',
  path: '/localization/v4/Key/GetUilmFile',
  query: ['Language', 'ModuleName', 'ProjectKey'],
  auth: 'project',
  effect: 'read',
  section: '4.6',
})

/** Modules of a project, localization family; an extension that most instances answer. */
export const localizationListModules = /* @__PURE__ */ route({
  id: 'localization.listModules',
  method: 'GET',
  path: '/localization/v4/Module/Gets',
  query: ['ProjectKey'],
  auth: 'project',
  effect: 'read',
  section: '4.6',
  extension: true,
})

/** Languages of a project, uilm family. @see section 4.6 */
export const uilmListLanguages = /* @__PURE__ */ route({
  id: 'uilm.listLanguages',
  method: 'GET',
  path: '/uilm/v1/Language/Gets',
  query: ['ProjectKey'],
  auth: 'project',
  effect: 'read',
  section: '4.6',
})

/** Translation file of one language and module, uilm family. @see section 4.6 */
export const uilmGetFile = /* @__PURE__ */ route({
  id: 'uilm.getFile',
  method: 'GET',
  path: '/uilm/v1/Key/GetUilmFile',
  query: ['Language', 'ModuleName', 'ProjectKey'],
  auth: 'project',
  effect: 'read',
  section: '4.6',
})

/** Modules of a project, uilm family; an extension that most instances answer. */
export const uilmListModules = /* @__PURE__ */ route({
  id: 'uilm.listModules',
  method: 'GET',
  path: '/uilm/v1/Module/Gets',
  query: ['ProjectKey'],
  auth: 'project',
  effect: 'read',
  section: '4.6',
  extension: true,
})

/** One page of the project's schema listing. @see section 4.5 */
export const dataListSchemas = /* @__PURE__ */ route({
  id: 'data.listSchemas',
  method: 'GET',
  path: '/data/v4/schemas',
  query: ['ProjectKey', 'PageNo', 'PageSize'],
  auth: 'project',
  effect: 'read',
  section: '4.5',
})

/**
 * Runs a GraphQL operation on the data gateway. The effect is that of a
 * mutation; a caller that sends a query knows better and may repeat it.
 * @see section 4.5
 */
export const dataExecute = /* @__PURE__ */ route({
  id: 'data.execute',
  method: 'POST',
  path: '/data/v4/gateway',
  body: 'json',
  auth: 'project',
  effect: 'create',
  section: '4.5',
})
