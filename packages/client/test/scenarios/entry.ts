/** Entry of the bundles for other runtimes. */
import { runScenarios, type RunSettings } from './run.ts'

/** Pages call it as a global. */
Object.assign(globalThis, { runScenarios })

const worker = {
  fetch: async (request: Request): Promise<Response> =>
    Response.json(await runScenarios((await request.json()) as RunSettings)),
}

// workerd requires a default export.
// oxlint-disable-next-line import/no-default-export
export { worker as default }
