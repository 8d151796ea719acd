import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, describe, expect, it } from 'vitest'
import { type Compiler, compilerFolders, compilers } from '@servicekit/testing/tsc'

const require = createRequire(import.meta.url)
const typeRoots = [dirname(dirname(require.resolve('@types/node/package.json')))]

/** Isolated project with the built package installed. */
const folder = mkdtempSync(join(tmpdir(), 'servicekit-types-'))
const modules = join(folder, 'node_modules/@servicekit')
mkdirSync(modules, { recursive: true })
for (const name of ['client', 'contract']) {
  symlinkSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), join(modules, name))
}
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
afterAll(() => rmSync(folder, { recursive: true }))

/** Typical user code; marked lines must be errors. */
const page = `
import { createClient, fieldErrors, isErrorOf, RequestError } from '@servicekit/client'
import { completeSignIn, createSession } from '@servicekit/client/auth'
import { createCore } from '@servicekit/client/core'
import { listUsers } from '@servicekit/client/iam'
import { download, upload } from '@servicekit/client/storage'
const core = createCore({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
export async function all(signal: AbortSignal, blob: Blob): Promise<unknown> {
  const session = createSession(core, { clientId: 'web', onEnd: () => {} })
  try {
    await completeSignIn(core, 'https://app.test/in')
  } catch (error) {
    if (isErrorOf(error, 'auth.callback') && error.code === 'REQUEST_REFUSED') {
      const status: number = error.status
      if (error.status === 400 && typeof error.body === 'object') return error.body.error.length
      // @ts-expect-error an operation that is none
      isErrorOf(error, 'auth.nothing')
      return status
    }
    if (error instanceof RequestError) return [error.requestId, fieldErrors(error)['email']?.[0]]
  }
  const { fileId } = await upload(session.core, blob, { signal, onProgress: ({ sentBytes }) => sentBytes })
  const { body } = await download(core, { fileId })
  for await (const { email } of listUsers(core, { filter: { name: 'ada' } })) if (email) break
  const client = createClient({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
  const outcome = await client.data.execute<{ Products: { totalCount: number } }>({ query: '' })
  // @ts-expect-error a number
  const text: string = outcome.ok ? outcome.data.Products.totalCount : ''
  // @ts-expect-error an option that is none
  createCore({ baseUrl: '', projectKey: '', timeout: 1 })
  return [await new Response(body).text(), text]
}
`
const loose = `
import { createCore } from '@servicekit/client/core'
import { upload } from '@servicekit/client/storage'
declare const signal: AbortSignal | undefined
declare const timeoutMs: number | undefined
const core = createCore({ baseUrl: 'https://api.example.com', projectKey: 'P1', timeoutMs })
export const sent = upload(core, new Blob([]), { name: 'a', signal, timeoutMs })
`
const server = `
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { createClient } from '@servicekit/client'
import { createServerClient, downloadToFile, forwardCookies, uploadFile } from '@servicekit/client/server'
import { upload } from '@servicekit/client/storage'
import { handlerBlobs, handlerTransport, record, replay } from '@servicekit/client/testing'
import { openTelemetry } from '@servicekit/client/opentelemetry'
import { undiciTransport } from '@servicekit/client/undici'
import { receive } from '@servicekit/client/webhooks'
const credentials = { clientId: 'job', clientSecret: process.env['SECRET'] ?? '' }
const client = createServerClient({ baseUrl: '', projectKey: '', credentials })
const hook = receive({ secret: 'a', headerKey: 'b' }, {
  TranslateAllEvent: ({ Response, TranslateAllEvent }) => {
    const worked: boolean = Response
    if (worked) console.log(TranslateAllEvent.ProjectKey)
  },
})
createServer((request, response) => void hook(request, response))
export async function render(request: Request): Promise<readonly string[]> {
  const { core, setCookie } = forwardCookies(client.core, request.headers.get('cookie'))
  await uploadFile(core, 'a')
  await downloadToFile(core, { fileId: 'f' }, 'b')
  await upload(core, createReadStream('a'), { name: 'a', size: 3, blobs: handlerBlobs(hook) })
  return setCookie()
}
const transport = record(handlerTransport(() => new Response(''))).transport
export const others = [createClient({ baseUrl: '', projectKey: '', transport }), replay([]), undiciTransport(), openTelemetry]
`
const kinds = {
  'a page': { lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  // No browser types.
  'a server': { lib: ['es2022'], types: ['node'], typeRoots },
} as const
type Case = readonly [
  compiler: Compiler,
  kind: keyof typeof kinds,
  resolution: 'nodenext' | 'bundler',
  exactOptionalPropertyTypes: boolean,
]
const resolutions = ['nodenext', 'bundler'] as const
const every: readonly Case[] = compilers.flatMap((compiler) =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
    resolutions.flatMap((resolution) =>
      [true, false].map((isExact): Case => [compiler, kind, resolution, isExact]),
    ),
  ),
)
// The oldest and newest compilers, each once with each option; all combinations take
// minutes.
const some: readonly Case[] = [
  ['typescript-5.0', 'a server', 'nodenext', true],
  ['typescript-5.0', 'a page', 'bundler', false],
  ['typescript', 'a page', 'nodenext', true],
  ['typescript-7', 'a server', 'bundler', false],
]

describe('the types', () => {
  it.each(isDeep ? every : some)(
    'hold for %s in %s, resolved as %s, with exact optional properties: %s',
    { timeout: 120_000 },
    (compiler, kind, resolution, isExact) => {
      const sources = kind === 'a server' ? { server, page } : { page }
      const files = Object.entries({ ...sources, ...(!isExact && { loose }) }).map(
        ([name, source]) => {
          writeFileSync(join(folder, `${name}.ts`), source)
          return `${name}.ts`
        },
      )
      const compilerOptions = {
        target: 'es2022',
        module: resolution === 'bundler' ? 'esnext' : resolution,
        moduleResolution: resolution,
        strict: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        // TypeScript 7 takes a fraction of the time of TypeScript 6.
        skipLibCheck: compiler !== 'typescript-7',
        exactOptionalPropertyTypes: isExact,
        ...kinds[kind],
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      const tsc = join(compilerFolders[compiler], 'bin/tsc')
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [tsc, '-p', join(folder, 'tsconfig.json')],
        { encoding: 'utf8', cwd: folder },
      )
      expect([status, stdout + stderr]).toEqual([0, ''])
    },
  )
})
