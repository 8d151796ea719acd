/** Run by workerd: a request contains the settings, its response is the result. */
import { serverMeans } from './on-server.ts'
import { runSuite } from './suite.ts'
import type { Settings } from './world.ts'

const worker = {
  fetch: async (request: Request): Promise<Response> => {
    const settings = (await request.json()) as Settings
    return Response.json(await runSuite(settings, serverMeans))
  },
}

// workerd requires a default export.
// oxlint-disable-next-line import/no-default-export
export { worker as default }
