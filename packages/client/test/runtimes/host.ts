import { createPlatform, type FaultRule, type Platform, readProject } from '@servicekit/platform'
import { listen } from '@servicekit/platform/node'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepCookies } from '../../src/testing.ts'
import { logIn } from '../log-in.ts'
import { agentId, identityOf, machine, mailTool } from '../sample.ts'
import { freeAddress } from '../serve.ts'
import { storefront } from '../storefront.ts'
import type { Settings } from './world.ts'

/** Platform on a port, with a control server that acts for the user. */
export interface Host {
  /** Creates a project of its own and returns its settings. */
  readonly prepare: (projectKey: string) => Promise<Settings>
  /** Empty page for a browser to load. */
  readonly pageUrl: string
  readonly close: () => Promise<void>
}

export async function startHost(): Promise<Host> {
  const platform = await createPlatform({ outgoing: ['loopback'] })
  const server = await listen(platform)
  const { baseUrl } = server
  const control = controlOf(platform, baseUrl)
  const actions = actionsOf(platform, baseUrl, control)
  const controlServer = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html')
      return void response.end('<!doctype html><title>runtime</title>')
    }
    const work = async (): Promise<unknown> => {
      const given = JSON.parse(await textOf(request)) as Given
      const action = actions[request.url!.slice(1)]
      if (!action) throw new Error(`unknown action ${request.url}`)
      return action(given)
    }
    work().then(
      (value) => response.end(JSON.stringify(value ?? null)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => {
    controlServer.listen(0, '127.0.0.1', resolve)
  })
  const controlUrl = `http://127.0.0.1:${(controlServer.address() as AddressInfo).port}`
  const source = await readProject(storefront)
  return {
    pageUrl: controlUrl,
    prepare: async (projectKey) => {
      await platform.loadProject({ ...source, key: projectKey, identity: undefined })
      await control(projectKey, 'PUT', '/identity', identityOf('ada', 'eve'))
      await control(projectKey, 'PUT', '/tools/mail', mailTool)
      await control(projectKey, 'PUT', '/tools/plain', { name: 'Plain' })
      await control(projectKey, 'PUT', `/agents/${agentId}`, { name: 'Guide', toolIds: ['plain'] })
      return { baseUrl, projectKey, controlUrl }
    },
    close: async () => {
      controlServer.closeAllConnections()
      await new Promise((resolve) => {
        controlServer.close(resolve)
      })
      await server.close()
      await platform.close()
    },
  }
}

interface Given extends FaultRule {
  readonly projectKey: string
  readonly url: string
  readonly userName: string
  readonly recipient: string
  readonly advanceMs: number
}

/** Actions that a runtime can request, by name. */
function actionsOf(platform: Platform, baseUrl: string, control: ReturnType<typeof controlOf>) {
  const actions: Readonly<Record<string, (given: Given) => unknown>> = {
    'sign-in': async ({ url, userName }) => ({
      address: await logIn(keepCookies(platform.fetch), url, userName),
    }),
    'read-mail': async ({ projectKey, recipient }) => {
      const mails = await control(projectKey, 'GET', `/inbox?recipient=${recipient}`)
      return { code: /code=([\w-]+)/.exec(JSON.stringify(mails))?.[1] }
    },
    'add-fault': ({ projectKey: _, ...rule }) => platform.faults.add(rule),
    'remove-faults': () => platform.faults.remove(),
    'advance-clock': async ({ advanceMs }) => {
      const body = JSON.stringify({ advanceMs })
      const response = await platform.fetch(
        new Request(`${baseUrl}/_platform/clock`, { method: 'POST', body }),
      )
      if (!response.ok) throw new Error(await response.text())
    },
    'agent-id': () => ({ agentId }),
    'free-address': async () => ({ address: await freeAddress() }),
    'get-token': async ({ projectKey }) => {
      const response = await fetch(`${baseUrl}/iam/v4/oidc/token`, {
        method: 'POST',
        headers: { 'x-service-key': projectKey },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: machine.clientId,
          client_secret: machine.clientSecret,
          org_id: 'default',
        }),
      })
      const { accessToken, access_token } = (await response.json()) as Record<string, string>
      return { token: accessToken ?? access_token }
    },
  }
  return actions
}

const controlOf =
  (platform: Platform, baseUrl: string) =>
  async (projectKey: string, method: string, path: string, body?: unknown): Promise<unknown> => {
    const url = `${baseUrl}/_platform/projects/${projectKey}${path}`
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await platform.fetch(new Request(url, init))
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
