import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isRuntimeMissing, type RuntimeName } from '@servicekit/testing/runtimes'
import { build } from 'esbuild'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProcess, runWorker } from '../runtimes/programs.ts'
import { runScenarios, type RunSettings } from './run.ts'
import type { ClientOutcome } from './scenario.ts'

/** Build of the client and the runtime that runs it. */
export interface Build {
  readonly name: string
  readonly kind: 'undici' | 'fetch' | 'browser'
  readonly isMissing: boolean
  readonly run: (folder: string, settings: RunSettings) => Promise<readonly ClientOutcome[]>
}

const here = fileURLToPath(new URL('.', import.meta.url))

/** Oldest browsers that the client supports; README.md states them. */
const supportedBrowsers = ['chrome100', 'edge100', 'firefox102', 'safari16.4']

/** Globals that are newer than one of the supported browsers. */
const newerApis = [
  'AbortSignal.any',
  'AbortSignal.timeout',
  'Array.fromAsync',
  'Array.prototype.findLast',
  'Array.prototype.toReversed',
  'Array.prototype.toSorted',
  'Array.prototype.toSpliced',
  'Array.prototype.with',
  'Blob.prototype.bytes',
  'Headers.prototype.getSetCookie',
  'Iterator',
  'Map.groupBy',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'ReadableStream.from',
  'Request.prototype.duplex',
  'Response.json',
  'Response.prototype.bytes',
  'Set.prototype.union',
  'Set.prototype.difference',
  'String.prototype.isWellFormed',
  'String.prototype.toWellFormed',
  'Uint8Array.fromBase64',
  'Uint8Array.prototype.toBase64',
  'URL.canParse',
  'URL.parse',
  // Only on pages with TLS.
  'crypto.randomUUID',
  'Crypto.prototype.randomUUID',
  'navigator.locks',
  'Navigator.prototype.locks',
]
const removeNewerApis = `for (const path of ${JSON.stringify(newerApis)}) {
  const names = path.split('.')
  const last = names.pop()
  const owner = names.reduce((at, name) => at?.[name], globalThis)
  if (owner) Reflect.deleteProperty(owner, last)
}
Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator)`

interface BundleOptions {
  readonly conditions: readonly string[]
  readonly platform: 'browser' | 'neutral' | 'node'
  readonly minify?: boolean
}

async function bundle(outfile: string, { platform, conditions, minify }: BundleOptions) {
  const { warnings } = await build({
    entryPoints: [join(here, 'entry.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform,
    conditions: ['source', ...conditions],
    target: supportedBrowsers,
    minify: minify ?? false,
    external: ['node:*'],
    logLevel: 'silent',
  })
  // Syntax that the browsers do not have.
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings))
}

const inPage =
  (options: Omit<BundleOptions, 'platform'>, before = ''): Build['run'] =>
  async (folder, settings) => {
    const script = join(folder, 'page.js')
    await bundle(script, { ...options, platform: 'browser' })
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.addInitScript(before)
      await page.goto(`${settings.origin}/`)
      await page.addScriptTag({ path: script, type: 'module' })
      await page.waitForFunction('globalThis.runScenarios')
      // As JSON, because the protocol of the browser does not keep undefined members.
      const json = `runScenarios(${JSON.stringify(settings)}).then(JSON.stringify)`
      return JSON.parse(await page.evaluate<string>(json)) as ClientOutcome[]
    } finally {
      await browser.close()
    }
  }

const inProcess =
  (name: RuntimeName, conditions: readonly string[], args: readonly string[] = []): Build['run'] =>
  async (folder, settings) => {
    await bundle(join(folder, 'entry.js'), { conditions, platform: 'neutral' })
    const script = join(folder, 'process.js')
    await writeFile(
      script,
      `import './entry.js'
console.log(JSON.stringify(await runScenarios(${JSON.stringify(settings)})))`,
    )
    return runProcess<ClientOutcome[]>(folder, name, [...args, script])
  }

const production = { conditions: ['production'], minify: true }
export const builds: readonly Build[] = [
  {
    name: 'Node',
    kind: 'undici',
    isMissing: false,
    run: async (_, settings) =>
      JSON.parse(JSON.stringify(await runScenarios(settings))) as ClientOutcome[],
  },
  {
    name: 'browser development',
    kind: 'browser',
    isMissing: isBrowserMissing(),
    run: inPage({ conditions: ['development'] }),
  },
  {
    name: 'browser production',
    kind: 'browser',
    isMissing: isBrowserMissing(),
    run: inPage(production),
  },
  {
    name: 'oldest browsers',
    kind: 'browser',
    isMissing: isBrowserMissing(),
    run: inPage(production, removeNewerApis),
  },
  {
    name: 'workerd',
    kind: 'fetch',
    isMissing: isRuntimeMissing('workerd'),
    run: async (folder, settings) => {
      const conditions = ['workerd', 'worker', 'browser']
      await bundle(join(folder, 'worker.js'), { conditions, platform: 'browser' })
      return runWorker<ClientOutcome[]>(folder, settings)
    },
  },
  {
    name: 'Deno',
    kind: 'fetch',
    isMissing: isRuntimeMissing('Deno'),
    run: inProcess(
      'Deno',
      ['deno'],
      ['run', '--no-prompt', '--no-remote', '--allow-net=127.0.0.1'],
    ),
  },
  {
    name: 'Bun',
    kind: 'fetch',
    isMissing: isRuntimeMissing('Bun'),
    run: inProcess('Bun', ['bun']),
  },
]

/** Creates the folder of a build. */
export async function folderOf(folder: string, name: string): Promise<string> {
  const own = join(folder, name.replaceAll(' ', '-'))
  await mkdir(own)
  await writeFile(join(own, 'package.json'), '{ "type": "module" }')
  return own
}
