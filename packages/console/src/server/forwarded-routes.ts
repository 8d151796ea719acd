/** Callers that may use a control route through the console. */
export type RouteAccess = 'administrator' | 'thisMachine'

/** Control routes below `/_platform/projects/KEY` that the console forwards. */
const routes: Readonly<Record<RouteAccess, readonly string[]>> = {
  administrator: [
    'GET /keys',
    'GET /drafts',
    'PUT /drafts',
    'DELETE /drafts',
    'POST /publish',
    'GET /languages',
    'POST /languages',
    'GET /modules',
    'POST /modules',
    'GET /deliveries',
    'POST /deliveries/:id/replay',
    'GET /events',
  ],
  // Mails contain the codes with which their recipients sign in, and the log shows the requests
  // of every project.
  thisMachine: ['GET /inbox', 'DELETE /inbox', 'GET /requests'],
}

/** Returns who may use a route such as `GET /keys`; undefined if it is not forwarded. */
export function accessToRoute(method: string, path: string): RouteAccess | undefined {
  const route = `${method} ${path.replace(/^\/deliveries\/\d{1,15}\//, '/deliveries/:id/')}`
  if (routes.administrator.includes(route)) return 'administrator'
  return routes.thisMachine.includes(route) ? 'thisMachine' : undefined
}
