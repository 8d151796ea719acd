import { projectHeader } from '@servicekit/contract'
import { beforeAll, expect, it } from 'vitest'
import { machineToken } from '@servicekit/testing/administrator'
import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'
import type { Platform } from '../src/index.ts'
import { control } from './control-client.ts'

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ secret: 'a secret of this test' })
  })

  /** Sends a request whose body ends after its project was removed. */
  async function whileRemoved(path: string, body: object): Promise<Response> {
    await platform.loadProject(project('R'))
    const token = await machineToken(platform, 'R')
    let started = (_: ReadableStreamDefaultController<Uint8Array>): void => {}
    const reading = new Promise<Parameters<typeof started>[0]>((resolve) => (started = resolve))
    const stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => started(controller) },
      { highWaterMark: 0 },
    )
    const isControl = path.startsWith('/_platform/')
    const response = platform.fetch(
      new Request(`http://platform.local${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [projectHeader]: 'R',
          ...(isControl ? {} : { authorization: `Bearer ${token}` }),
        },
        body: stream,
        duplex: 'half',
      }),
    )
    // The platform reads the body after it has found the project.
    const controller = await reading
    expect(await control(platform, 'DELETE', '/projects/R')).toMatchObject({ status: 204 })
    controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
    controller.close()
    return response
  }

  it.each([
    [
      'an interface',
      '/uilm/v1/Config/SaveWebHook',
      {
        url: 'https://hooks.example/',
        contentType: 'application/json',
        isDisabled: false,
        projectKey: 'R',
      },
    ],
    ['a control', '/_platform/projects/R/modules', { moduleName: 'n' }],
  ])('refuses a change by %s operation while its project is removed', async (_, path, body) => {
    const response = await whileRemoved(path, body)
    expect([response.status, await response.text()]).toEqual([
      409,
      expect.stringContaining('The project, or what this belongs to, was removed meanwhile.'),
    ])
  })
})
