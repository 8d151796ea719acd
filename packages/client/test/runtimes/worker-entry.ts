/** Started by workerd: a request brings the settings, its answer is the result. */
import { serverMeans } from './on-server.ts'
import { runSuite } from './suite.ts'
import type { Settings } from './world.ts'

const worker = {
  fetch: async (request: Request): Promise<Response> => {
    const settings = (await request.json()) as Settings
    return Response.json(await runSuite(settings, serverMeans))
  },
}

// The form that workerd wants.
// oxlint-disable-next-line import/no-default-export
export { worker as default }
