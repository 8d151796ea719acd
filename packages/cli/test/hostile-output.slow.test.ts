import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { commands, main } from '../src/main.ts'

/** Sequences that clear the screen, in both forms, set its title, and reverse the text. */
const hostile = '\u001b[2J\u009b31m\u001b]0;x\u0007\u202eX\u2066\u200f\u0085\rforged\nforged'
const control =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
let platform: StartedPlatform

beforeAll(async () => {
  platform = await startPlatform({ projectDir: storefront, port: 0 })
})
afterAll(() => platform?.close())

/** Strings of the responses that are changed. */
const modes: Readonly<Record<string, (name: string, path: string) => boolean>> = {
  'every string': () => true,
  'names and texts': (name) =>
    /^(?:display|title|text|description|email|first|last|label|note|message|reason|url|uri|origin|actor|slug)/i.test(
      name,
    ) || name.endsWith('Name'),
  'names of schemas and fields': (name, path) => /schemas/.test(path) && /name|type/i.test(name),
  translations: (_, path) => /uilm|get-?file|translations/i.test(path),
  errors: () => false,
}

/** Starts a service that changes the responses of the platform. */
async function hostileService(mode: string): Promise<{ baseUrl: string; close: () => void }> {
  const isChanged = modes[mode]!
  const change = (value: unknown, name: string, path: string): unknown => {
    if (typeof value === 'string') return isChanged(name, path) ? value + hostile : value
    if (Array.isArray(value)) return value.map((one) => change(one, name, path))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        mode === 'translations' && isChanged(key, path) ? key + hostile : key,
        change(one, key, path),
      ]),
    )
  }
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const headers = new Headers(
      Object.entries(request.headers).filter(
        ([key, value]) =>
          typeof value === 'string' &&
          !/^(?:host|connection|content-length|accept-encoding|transfer-encoding|expect)$/.test(
            key,
          ),
      ) as [string, string][],
    )
    const path = request.url ?? '/'
    const answer = await fetch(new URL(path, platform.baseUrl), {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    const text = await answer.text()
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    const status = mode === 'errors' ? 422 : answer.status
    response.writeHead(status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
    })
    if (mode === 'errors')
      response.end(
        JSON.stringify({
          error: hostile,
          message: hostile,
          errors: [{ message: hostile }],
          isSuccess: false,
        }),
      )
    else
      response.end(
        isJson && text !== '' ? JSON.stringify(change(JSON.parse(text), '', path)) : text,
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

const root = '<root>'
/** Arguments of every command. Those that serve run until they are stopped. */
const runs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  init: [['--root', root]],
  explain: [['SNAPSHOT_DRIFT'], [hostile], ['--json']],
  doctor: [['--root', root]],
  dev: [],
  serve: [],
  backup: [],
  restore: [],
  admin: [
    ['projects', 'list'],
    ['keys', 'list'],
    ['users', 'list'],
    ['users', 'invite', `a${hostile}@b.example`],
    ['users', 'deactivate', 'x'],
    ['keys', 'create', 'job2'],
    ['signing-key', 'rotate'],
    ['roles', 'list'],
    ['roles', 'create', hostile],
    ['origins', 'list'],
    ['origins', 'add', `https://x.example/${hostile}`],
    ['webhook', 'show'],
    ['audit'],
    ['projects', 'delete', hostile, '--yes'],
  ],
  'migrate-database': [],
  pull: [
    ['--root', root, '--summary', `${root}/summary.md`],
    ['--root', root, '--json'],
  ],
  compile: [['--root', root, '--out', `${root}/messages`]],
  repack: [['--root', root]],
  add: [['--root', root, 'cart', hostile, hostile]],
  push: [
    ['--root', root, '--prune', '--dry-run'],
    ['--root', root, '--json'],
  ],
  rename: [['--root', root, 'cart', hostile, 'NEW']],
  check: [
    ['--root', root, '--remote', '--html', `${root}/report.html`],
    ...['json', 'sarif', 'github', 'gitlab'].map((format) => ['--root', root, '--format', format]),
  ],
  translate: [
    ['--root', root, '--dry-run'],
    ['--root', root, '--language', `de${hostile}`],
  ],
  migrate: [['--root', root]],
  mcp: [],
  codegen: [
    ['--root', root, '--diagram', '--labels', '--cross-check'],
    ['--root', root, '--check'],
    ['--root', root, '--json'],
    ['--root', root, '--introspect'],
  ],
  export: [['--out', `${root}/exported`]],
  import: [['--from', `${root}/${hostile}`]],
}

it('has a case of every command', () => {
  expect(Object.keys(runs).sort()).toEqual(Object.keys(commands).sort())
})

describe.each(Object.keys(modes))('a service that changes %s', (mode) => {
  let folder: string
  let service: Awaited<ReturnType<typeof hostileService>>
  const before = process.cwd()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicekit-hostile-'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'a.ts'), `import { NAV_ABOUT } from '~uilm/common'\nNAV_ABOUT()`)
    const languages = mode === 'every string' ? {} : { languages: ['en-US', 'de-DE'] }
    const config = JSON.stringify({ localization: languages })
    await writeFile(join(folder, 'servicekit.config.json'), config)
    service = await hostileService(mode)
    process.chdir(folder)
  })
  beforeEach(() => {
    vi.stubEnv('CI', '')
    vi.stubEnv('SERVICEKIT_URL', service.baseUrl)
    vi.stubEnv('SERVICEKIT_PROJECT_KEY', platform.projectKeys[0]!)
  })
  afterAll(async () => {
    process.chdir(before)
    service.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(Object.entries(runs).filter(([, all]) => all.length > 0))(
    'reaches the terminal through %s without control characters, and forges no line',
    async (name, all) => {
      let printed = 0
      for (const args of all) {
        let output = ''
        const write = (text: string): void => void (output += text)
        await main([name, ...args.map((one) => one.replace(root, folder))], {
          stdout: write,
          stderr: write,
          isTerminal: false,
          progressIntervalMs: Infinity,
          confirm: async (question) => (write(`${question}\n`), false),
          signal: new AbortController().signal,
        })
        const lines = output
          .split('\n')
          .filter(
            (line) =>
              line.search(control) >= 0 ||
              /^\s*forged/.test(line) ||
              line.includes('This is a bug'),
          )
        expect({ args, lines }).toEqual({ args, lines: [] })
        printed += output.length
      }
      expect(printed).toBeGreaterThan(0)
    },
  )

  it('reaches no generated file with control characters', async () => {
    let files = 0
    const found: Record<string, readonly string[]> = {}
    for (const path of await readdir(folder, { recursive: true })) {
      // Translations and records are data; they are stored as they are.
      if (/^(?:uilm|exported|messages)\/|^\.servicekit\/(?!types)/.test(path)) continue
      const text = await readFile(join(folder, path), 'utf8').catch(() => '')
      files++
      const characters = text.match(control) ?? []
      if (characters.length > 0) {
        found[path] = [...new Set(characters.map((one) => one.codePointAt(0)!.toString(16)))]
      }
    }
    expect(found).toEqual({})
    expect(files).toBeGreaterThan(3)
  })
})
