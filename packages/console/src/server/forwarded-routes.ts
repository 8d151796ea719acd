/** Callers that may use a control route through the console. */
export type RouteAccess = 'administrator' | 'thisMachine'

/** Control routes below `/_platform/projects/KEY` that the console forwards. */
export const routes: Readonly<Record<RouteAccess, readonly string[]>> = {
  administrator: [
    'GET /keys',
    'GET /drafts',
    'GET /history',
    'PUT /drafts',
    'DELETE /drafts',
    'POST /publish',
    'GET /languages',
    'POST /languages',
    'GET /modules',
    'POST /modules',
    'GET /translations',
    'POST /translations',
    'GET /translations/:id',
    'DELETE /translations/:id',
    'GET /webhook',
    'PUT /webhook',
    'GET /deliveries',
    'GET /deliveries/:id',
    'POST /deliveries/:id/replay',
    'DELETE /files/:id',
    'GET /tools',
    'PUT /tools/:id',
    'DELETE /tools/:id',
    'PUT /tools/:id/tutorial',
    'GET /agents',
    'PUT /agents/:id',
    'DELETE /agents/:id',
    'GET /knowledge',
    'DELETE /knowledge/:id',
    'POST /users/:id/activate',
    'POST /users/:id/invitation',
    'GET /users/:id/sessions',
    'DELETE /users/:id/sessions',
    'GET /schemas',
    'PUT /schemas/:id',
    'DELETE /schemas/:id',
    'POST /schemas/publish',
    'POST /schemas/discard',
    // Operations of the interface, as an administrator of the project.
    'GET /interface/iam/v4/iam/organizations',
    'POST /interface/iam/v4/iam/organizations/create',
    'POST /interface/iam/v4/iam/users/create',
    'POST /interface/iam/v4/iam/users/deactivate',
    'POST /interface/iam/v4/iam/roles',
    'POST /interface/iam/v4/iam/permissions',
    'POST /interface/idp/v1/Iam/GetUsers',
    'GET /interface/idp/v1/Iam/GetUser',
    'POST /interface/idp/v1/Iam/Update',
    'GET /interface/logic/v4/Storage/Gets',
    'POST /interface/data/v4/Files/GetPreSignedUrlForUpload',
    'POST /interface/data/v4/Files/GetFilesInfo',
    'GET /interface/data/v4/Files/GetFile',
    'POST /interface/tools/:id/initiate-oauth',
    'POST /interface/kb/qa',
    'POST /interface/data/v4/gateway',
  ],
  // Mails contain the codes with which their recipients sign in. The log, the clock, fault rules
  // and imports concern every project.
  thisMachine: [
    'GET /inbox',
    'DELETE /inbox',
    'POST /inbox/:id/sign-in',
    'GET /requests',
    'GET /clock',
    'POST /clock',
    'GET /faults',
    'POST /faults',
    'DELETE /faults/:id',
    'GET /export',
    'POST /projects',
  ],
}

/** Paths whose one segment is an id. */
const withId =
  /^(\/(?:agents|deliveries|faults|files|inbox|knowledge|schemas|tools|translations|users|interface\/tools))\/[^/]{1,200}/

/** Returns who may use a route such as `GET /keys`; undefined if it is not forwarded. */
export function accessToRoute(method: string, path: string): RouteAccess | undefined {
  const named = [path, path.replace(withId, '$1/:id')].map((one) => `${method} ${one}`)
  const isListed = (access: RouteAccess): boolean =>
    named.some((route) => routes[access].includes(route))
  if (isListed('administrator')) return 'administrator'
  return isListed('thisMachine') ? 'thisMachine' : undefined
}

/**
 * Returns the path of a control route.
 *
 * @param path that of the console, such as `/keys`.
 */
export function controlRouteOf(encodedKey: string, path: string, search: string): string {
  if (path === '/requests') return `/requests?project=${encodedKey}&limit=500`
  // Without its query, an export has no secrets.
  if (path === '/export') return `/projects/${encodedKey}/export`
  return /^\/(?:clock|faults|projects)\b/.test(path)
    ? path
    : `/projects/${encodedKey}${path}${search}`
}
