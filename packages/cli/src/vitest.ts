/**
 * Fixture for Vitest that gives each worker a project of its own, on the platform that
 * `servicekit/vitest-setup` starts.
 */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { ConfigError, RequestError } from '@servicekit/client'
import { createControl } from '@servicekit/client/control'
import { inject, test as base, type TestAPI } from 'vitest'
import type { ProvidedUrl } from './vitest-setup.ts'

/** Options of {@link createPlatformTest}. */
export interface PlatformTestOptions {
  /** Project folder, as for `servicekit dev --project`; an empty project by default. */
  readonly projectDir?: string
}

/** Project of a worker. Pass it to `createClient`. */
export interface WorkerProject {
  readonly baseUrl: string
  readonly projectKey: string
  /**
   * Sends a request to a control route of the project, such as `/drafts` or `/inbox`.
   *
   * @throws RequestError if the response is not a success.
   */
  readonly control: (path: string, init?: RequestInit) => Promise<Response>
  /** Restores the project to its folder, for tests that change it. */
  readonly reset: () => Promise<void>
}

/** Fixtures of {@link createPlatformTest}. */
export interface PlatformFixtures {
  readonly platform: WorkerProject
}

/**
 * Creates a `test` with the fixture `platform`. Files that run at the same time do not see the
 * changes of each other; files that share a worker (`isolate: false`) share its project.
 *
 * ```ts
 * const test = createPlatformTest({ projectDir: 'project' })
 *
 * test('lists the languages', async ({ platform }) => {
 *   const { localization } = createClient({ baseUrl: platform.baseUrl, projectKey: platform.projectKey })
 *   expect(await localization.listLanguages()).toHaveLength(3)
 * })
 * ```
 *
 * @throws ConfigError in the first test if the global setup does not run.
 */
export function createPlatformTest(
  options: PlatformTestOptions = {},
): TestAPI<{ platform: WorkerProject }> {
  return base.extend<{ $worker: PlatformFixtures }>({
    platform: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that are needed from it.
      async ({}, use) => {
        const { project, remove } = await openWorkerProject(
          inject('servicekitUrl') as ProvidedUrl | undefined,
          options,
        )
        await use(project)
        await remove()
      },
      { scope: 'worker' },
    ],
  }) as unknown as TestAPI<{ platform: WorkerProject }>
}

async function openWorkerProject(
  baseUrl: string | undefined,
  { projectDir }: PlatformTestOptions,
): Promise<{ readonly project: WorkerProject; readonly remove: () => Promise<void> }> {
  if (baseUrl === undefined) {
    throw new ConfigError('The platform of the tests was not started', {
      help: "Add globalSetup: 'servicekit/vitest-setup' to the section test of the Vitest config.",
    })
  }
  const projectKey = `W${randomUUID().replaceAll('-', '')}`
  const base = `/projects/${projectKey}`
  const control = createControl({ baseUrl })
  const path = { project: projectKey }
  const content =
    projectDir === undefined ? { name: projectKey } : await readFolder(baseUrl, projectDir)
  await control.send('POST /projects', { body: { ...content, projectKey } })
  return {
    project: {
      baseUrl,
      projectKey,
      control: (path, init) => send(baseUrl, base + path, init),
      reset: async () => void (await control.send('POST /projects/{project}/reset', { path })),
    },
    remove: () => control.send('DELETE /projects/{project}', { path }),
  }
}

/**
 * Reads a folder by the platform, whose code would take longer to load in the worker than to
 * send the project.
 */
async function readFolder(baseUrl: string, projectDir: string): Promise<object> {
  const control = createControl({ baseUrl })
  const { key } = await control.send('POST /projects', { body: { folder: resolve(projectDir) } })
  return control.send('GET /projects/{project}/export', {
    path: { project: key },
    query: { secrets: 'true' },
  })
}

/** Sends a request to any path below the project. @throws RequestError */
async function send(baseUrl: string, path: string, init: RequestInit = {}): Promise<Response> {
  const url = `${baseUrl}/_platform${path}`
  const response = await fetch(url, init)
  if (response.ok) return response
  const { title } = (await response.json().catch(() => ({}))) as { readonly title?: string }
  throw new RequestError(title ?? 'The platform refused the request', {
    code: 'REQUEST_REFUSED',
    details: { url, status: response.status },
    status: response.status,
  })
}
