import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages, type Registry, startRegistry } from '@servicekit/testing/local-registry'
import { startShell, waitForServer } from '@servicekit/testing/processes'
import { receiver } from '@servicekit/testing/receiver'
import { codeBlocks } from '../../../docs/generate/code-blocks.mjs'
import { operationsFolder } from './team/operations-pages.ts'

/*
 * Packages that a project already has, beside which npm installs ours. `npm install` fails with
 * ERESOLVE if a package of the project does not satisfy a peer dependency, also an optional one.
 */

/** Projects by what they have. The first one has the oldest version of each. */
const projects = {
  oldest: {
    react: '17',
    'react-test-renderer': '17',
    eslint: '8.57',
    vitest: '3.2',
    graphql: '15.0.0',
    '@opentelemetry/api': '1.3.0',
  },
  'Next.js 14': { next: '14', react: '18', 'react-dom': '18', eslint: '8', graphql: '15' },
  'Next.js 15': { next: '15', react: '19', 'react-dom': '19', eslint: '9', graphql: '16' },
  newest: { next: '16', react: '19', 'react-dom': '19', eslint: '10', vitest: '4', graphql: '17' },
} as const

/** Newest versions of the packages with which an operator exports traces. */
const telemetrySdk = {
  '@opentelemetry/sdk-node': '0.301.0',
  '@opentelemetry/exporter-trace-otlp-proto': '0.301.1',
}

const own = [
  'servicekit',
  '@servicekit/check',
  '@servicekit/client',
  '@servicekit/codegen',
  '@servicekit/platform',
  '@servicekit/server',
  '@servicekit/unplugin',
]

const folder = await mkdtemp(join(tmpdir(), 'servicekit-peers-'))
let registry: Registry

// npm's variables would bind the inner npm to this repository, and Vitest's the inner Vitest.
const environment = (): NodeJS.ProcessEnv => {
  const kept = /^npm_config_(?:cache|userconfig|https?_proxy|noproxy|cafile)$/i
  const entries = Object.entries(process.env).filter(
    ([name]) => kept.test(name) || !/^(?:npm_|VITEST|NODE_|TEST$|SERVICEKIT_)/i.test(name),
  )
  return Object.fromEntries(entries) as NodeJS.ProcessEnv
}

/** Runs a program in a folder, and returns its exit code and what it prints. */
async function run(command: string, args: readonly string[], cwd: string) {
  const options = { cwd, env: environment(), maxBuffer: 1e8 }
  return promisify(execFile)(command, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  )
}

async function writeProject(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
}

/** Creates a project with dependencies, and installs our packages beside them. */
async function install(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<string> {
  const root = join(folder, name.replaceAll(' ', '-'))
  await writeProject(root, {
    'package.json': JSON.stringify({ type: 'module', private: true, dependencies }),
    '.npmrc': `registry=${registry.url}\n`,
  })
  const common = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  const result = await run('npm', ['install', ...common, ...options, ...own], root)
  expect(result.code, result.output).toBe(0)
  return root
}

beforeAll(async () => {
  await packPackages(folder)
  registry = await startRegistry(folder)
}, 600_000)
afterAll(async () => {
  await registry?.close()
  await rm(folder, { recursive: true, force: true })
})

it.each(Object.entries(projects).slice(1))(
  'installs beside %s',
  { timeout: 600_000 },
  (name, dependencies) =>
    expect(install(name, dependencies, '--package-lock-only')).resolves.toBeDefined(),
)

describe('beside the oldest versions', () => {
  let root: string
  beforeAll(async () => {
    root = await install('oldest', projects.oldest)
  }, 900_000)

  const runScript = async (text: string): Promise<unknown> => {
    await writeProject(root, { 'script.mjs': text })
    const { code, output } = await run(process.execPath, ['script.mjs'], root)
    expect(code, output).toBe(0)
    return JSON.parse(output)
  }

  it('shows the session in React 17, and its changes', async () => {
    const shown = await runScript(`import React from 'react'
import { act, create } from 'react-test-renderer'
import { SessionProvider, useSession } from '@servicekit/client/react'

const listeners = new Set()
let state = { status: 'loading', user: undefined }
const session = {
  get: () => state,
  subscribe: (listener) => { listeners.add(listener); return () => listeners.delete(listener) },
  reload: async () => undefined,
  signOut: async () => undefined,
}
const View = () => useSession().status
let page
act(() => { page = create(React.createElement(SessionProvider, { session }, React.createElement(View))) })
const before = page.toJSON()
act(() => {
  state = { status: 'signed-in', user: undefined }
  for (const listener of listeners) listener()
})
const after = page.toJSON()
act(() => page.unmount())
console.log(JSON.stringify([React.version.split('.')[0], before, after, listeners.size]))
`)
    expect(shown).toEqual(['17', 'loading', 'signed-in', 0])
  })

  it('reports unknown keys in ESLint 8', async () => {
    await writeProject(root, {
      'translations/en-US/shop.json': JSON.stringify({ HEADING: 'Cart' }),
      'servicekit.config.mjs': `export default { localization: { from: 'translations' } }\n`,
      'eslint.config.js': `import servicekit from '@servicekit/check/eslint'
export default [{ files: ['src/*.js'], plugins: { servicekit }, settings: { servicekit: { from: 'translations' } }, rules: { 'servicekit/no-unknown-key': 'error' } }]
`,
      'src/main.js': `import { HEADNG } from '~uilm/shop'\nconsole.log(HEADNG())\n`,
    })
    const command = (name: string, ...args: string[]) =>
      run(process.execPath, [join(root, 'node_modules', name), ...args], root)
    const pull = await command('servicekit/bin/servicekit.js', 'pull')
    expect(pull.code, pull.output).toBe(0)
    const version = await command('eslint/bin/eslint.js', '--version')
    expect(version.output).toMatch(/^v8\./)
    const { code, output } = await command('eslint/bin/eslint.js', 'src')
    expect(code, output).toBe(1)
    expect(output).toContain('servicekit/no-unknown-key')
  })

  it('gives each worker of Vitest 3 a project', { timeout: 300_000 }, async () => {
    await writeProject(root, {
      'vitest.config.mjs': `export default { test: { globalSetup: 'servicekit/vitest-setup', testTimeout: 120_000, hookTimeout: 120_000 } }\n`,
      'platform.test.mjs': `import { createPlatformTest } from 'servicekit/vitest'
import { expect } from 'vitest'

const test = createPlatformTest()
let first
test('has a project', ({ platform }) => {
  first = platform.projectKey
  expect(first).toMatch(/^W/)
})
test('has the same one in the whole worker', ({ platform }) => {
  expect(platform.projectKey).toBe(first)
})
`,
    })
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { code, output } = await run(process.execPath, [vitest, 'run'], root)
    expect(code, output).toBe(0)
    expect(output).toMatch(/v3\.2\./)
    expect(output).toMatch(/Tests .*2 passed/)
  })

  it('reads SDL with graphql 15', async () => {
    await writeProject(root, { 'broken.graphql': 'type Query {' })
    const shown = await runScript(`import { generate } from '@servicekit/codegen'

const options = { listing: 'broken.graphql', outDir: 'generated' }
const error = await generate(options).catch((reason) => reason)
console.log(JSON.stringify([error.code, error.message]))
`)
    expect(shown).toEqual([
      'LISTING_INVALID',
      expect.stringMatching(/^The schema is not valid SDL\n.*\n.*Syntax Error/),
    ])
  })

  it('shares the API of OpenTelemetry with the project', () => {
    expect(existsSync(join(root, 'node_modules/@servicekit/server/dist'))).toBe(true)
    const copies = join(root, 'node_modules/@servicekit/server/node_modules/@opentelemetry')
    expect(existsSync(copies)).toBe(false)
  })
})

describe('with the SDK of OpenTelemetry that the documentation names', () => {
  it('exports the trace of a request', { timeout: 900_000 }, async () => {
    const page = await readFile(new URL('observing.md', operationsFolder), 'utf8')
    const isTelemetry = ({ text }: { readonly text: string }) => text.includes('NodeSDK')
    const telemetry = codeBlocks(page).find(isTelemetry)!.text
    const named = /^npm install (@opentelemetry\/.+)$/m.exec(page)![1]!.split(' ')
    expect(named).toEqual(Object.keys(telemetrySdk))
    const root = await install('traces', telemetrySdk)
    await writeProject(root, { 'telemetry.mjs': telemetry })

    const collector = await receiver()
    const server = startShell(
      'npx servicekit serve --host 127.0.0.1 --port 0',
      {
        NODE_OPTIONS: '--import ./telemetry.mjs',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
        OTEL_BSP_SCHEDULE_DELAY: '100',
        SERVICEKIT_ALLOW: 'embedded-database,local-files,http',
        SERVICEKIT_DATA_DIR: join(root, 'data'),
        SERVICEKIT_PUBLIC_URL: 'http://platform.local',
        SERVICEKIT_STORAGE_STRATEGY: 'Local',
      },
      root,
    )
    try {
      const baseUrl = await waitForServer(server)
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      await fetch(`${baseUrl}/localization/v4/Language/Gets?ProjectKey=absent`, {
        headers: { 'x-service-key': 'absent', traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      })
      // Protobuf has the bytes of an id as they are. Statements end before their request.
      const parts = [Buffer.from(traceId, 'hex').toString('utf8'), 'servicekit.request_id']
      let exported = ''
      while (!parts.every((part) => exported.includes(part))) {
        for (const { path, body } of await collector.take(1)) {
          if (path === '/v1/traces') exported += body
        }
      }
      expect(exported).toContain('localization.listLanguages')
    } finally {
      await server.kill()
      await collector.close()
    }
  })
})
