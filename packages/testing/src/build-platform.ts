import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { templatePath } from '../../platform/src/database/database-template.ts'

const packageFolder = fileURLToPath(new URL('../../platform/', import.meta.url))

/** Bundled package, which a separate process can load. */
export interface Built {
  /** Runs a module in which `platform` is bound to the exports of `./node`. */
  readonly run: (source: string, args?: readonly string[]) => Promise<Child>
  readonly remove: () => Promise<void>
}

/** Process that runs the built package. */
interface Child {
  readonly process: ChildProcess
  /** Returns the next line that the process prints; throws if it exits. */
  readonly line: () => Promise<string>
  readonly ended: Promise<number | null>
}

/** Bundles the current sources; a separate process cannot load TypeScript on Node 20. */
export async function buildPlatform(): Promise<Built> {
  // The bundle resolves its dependencies from below node_modules.
  const cache = join(packageFolder, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'built-'))
  await build({
    config: false,
    cwd: packageFolder,
    entry: { node: 'src/node.ts', 'pglite-worker': 'src/pglite-worker.js' },
    outDir: folder,
    fixedExtension: false,
    clean: false,
    dts: false,
    copy: [{ from: 'src/pages', to: folder }],
    logLevel: 'error',
    deps: { alwaysBundle: ['@servicekit/contract'] },
    inputOptions: { resolve: { conditionNames: ['source', 'import', 'default'] } },
  })
  await copyFile(await templatePath(), join(folder, 'template.tar.gz'))
  return {
    run: (source, args = []) => run(folder, source, args),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function run(folder: string, source: string, args: readonly string[]): Promise<Child> {
  const file = join(folder, `run-${crypto.randomUUID()}.js`)
  await writeFile(file, `import * as platform from './node.js'\n${source}`)
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let errors = ''
  let rest = ''
  let wake = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    lines.push(...parts)
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close').then(([code]) => {
    wake()
    return code as number | null
  })
  return {
    process: child,
    ended,
    line: async () => {
      while (lines.length === 0) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`the process ended: ${errors}`)
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return lines.shift()!
    },
  }
}
