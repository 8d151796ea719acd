import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withConsole } from '@servicekit/platform/console'
import { startPlatform } from '@servicekit/platform/node'

const folder = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))

/** Language codes of the sample project, the default first. */
export const storefrontLanguages = ['en-US', 'ar-EG', 'bn-BD', 'de-DE', 'fr-FR', 'ja-JP'] as const

/** Returns a translation of the sample project, read directly from its files. */
export function textOf(language: string, module: string, key: string): string {
  const file = join(folder, 'uilm', language, `${module}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[key]!
}

/** Returns all translations of the sample project in a language, read from its files. */
export const textsOf = (
  language: string,
): readonly { readonly key: string; readonly text: string }[] =>
  readdirSync(join(folder, 'uilm', language)).flatMap((name) =>
    Object.entries(
      JSON.parse(readFileSync(join(folder, 'uilm', language, name), 'utf8')) as object,
    ).map(([key, text]) => ({ key, text: String(text) })),
  )

export interface Storefront {
  readonly baseUrl: string
  readonly projectKey: string
  /** Edits a translation on the platform, like its console. */
  readonly edit: (language: string, module: string, key: string, value: string) => Promise<void>
  /** Sets the webhook of the project. */
  readonly setWebhook: (webhook: {
    readonly url: string
    readonly secret: string
    readonly headerKey: string
  }) => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts the local platform with the sample project on a port. */
export async function startStorefront(): Promise<Storefront> {
  const { baseUrl, projectKeys, close } = await startPlatform({
    projectDir: folder,
    port: 0,
    outgoing: ['loopback'],
    wrap: (platform) => withConsole(platform, { allowThisMachine: true }),
  })
  const projectKey = projectKeys[0]!
  const put = async (path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${baseUrl}/_platform/projects/${projectKey}/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
  }
  return {
    baseUrl,
    projectKey,
    close,
    edit: (language, module, key, value) => put('texts', [{ language, module, key, value }]),
    setWebhook: ({ url, secret, headerKey }) =>
      put('webhook', {
        url,
        contentType: 'application/json',
        serviceWebhookSecret: { secret, headerKey },
        isDisabled: false,
        projectKey,
      }),
  }
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
}

/**
 * Serves a folder like a static host.
 *
 * @param headers Sent with every response.
 */
export async function serveFolder(
  root: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: string; readonly close: () => Promise<unknown> }> {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, 'http://x').pathname))
    const file = path.endsWith('/') ? `${path}index.html` : path
    const body = await readFile(join(root, file)).catch(() => undefined)
    const type = types[extname(file)] ?? 'text/plain'
    response
      .writeHead(body ? 200 : 404, { ...headers, 'content-type': `${type}; charset=utf-8` })
      .end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}
