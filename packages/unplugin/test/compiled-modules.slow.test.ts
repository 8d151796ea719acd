import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { emitProgram, writeFiles } from '@servicekit/catalog'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { findRuntime, isRuntimeMissing } from '@servicekit/testing/runtimes'
import { afterAll, expect, it, vi } from 'vitest'
import { modelFrom, removeFolders, temporaryFolder, writeApp } from './project.ts'
import { serveFolder } from './storefront.ts'

// Runs other runtimes and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

afterAll(removeFolders)

const run = promisify(execFile)

const model = modelFrom({
  'en-US/auth': { SIGN_IN: 'Sign in', 'a b': 'spaced' },
  'de-DE/auth': { SIGN_IN: 'Anmelden', 'a b': 'getrennt' },
  'en-US/my texts': { A: 'a' },
})

const main = `import { getLanguage, setLanguage } from '~uilm'
import { SIGN_IN, 'a b' as spaced } from '~uilm/auth'
import { messages } from '~uilm/auth/messages'
import { A } from '~uilm/my texts'
import { createLocalizer, matchLanguage } from '~uilm/server'

const localizer = await createLocalizer(matchLanguage('de'))
const before = [SIGN_IN(), localizer.translate(SIGN_IN)]
await setLanguage('de-DE')
globalThis.shown = [...before, spaced(), messages.SIGN_IN(), A(), getLanguage()].join()
console.log(globalThis.shown)
`
const shown = 'Sign in,Anmelden,getrennt,Anmelden,a,de-DE'

/** Writes an application with compiled messages. */
async function application(sync: boolean, files: Record<string, string>): Promise<string> {
  const root = await temporaryFolder()
  await writeFiles(
    emitProgram(model, { outDir: join(root, 'messages'), storageKey: 'language', sync }),
  )
  await writeApp(root, files)
  return root
}

it.skipIf(isRuntimeMissing('Deno')).each([false, true])(
  'run in Deno with their import map, sync: %s',
  async (sync) => {
    const root = await application(sync, { 'main.js': main })
    const { stdout } = await run(
      findRuntime('Deno')!,
      [
        'run',
        '--no-config',
        '--no-lock',
        '--import-map=messages/import-map.json',
        // Deno reads the files of dynamic imports with the permissions of the program.
        ...(sync ? [] : ['--allow-read']),
        'main.js',
      ],
      { cwd: root, env: { ...process.env, DENO_DIR: join(root, 'deno'), NO_COLOR: '1' } },
    )
    expect(stdout.trim()).toBe(shown)
  },
)

it.skipIf(isRuntimeMissing('Bun')).each([false, true])(
  'run in Bun with the paths of a tsconfig, sync: %s',
  async (sync) => {
    const paths = { '~uilm': ['./messages/runtime.js'], '~uilm/*': ['./messages/*.js'] }
    const root = await application(sync, {
      'main.ts': main,
      'tsconfig.json': JSON.stringify({ compilerOptions: { paths } }),
    })
    const { stdout } = await run(findRuntime('Bun')!, ['run', 'main.ts'], { cwd: root })
    expect(stdout.trim()).toBe(shown)
  },
)

it.skipIf(isBrowserMissing())('run in a browser with an import map', async () => {
  const root = await application(false, { 'main.js': main })
  const text = await readFile(join(root, 'messages/import-map.json'), 'utf8')
  const { imports } = JSON.parse(text) as { imports: Record<string, string> }
  const map = Object.fromEntries(
    Object.entries(imports).map(([name, path]) => [name, path.replace('./', '/messages/')]),
  )
  await writeApp(root, {
    'index.html': `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports: map })}</script><script type="module" src="main.js"></script>`,
  })
  const site = await serveFolder(root)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ locale: 'en-US' })
    await page.goto(site.url)
    await page.waitForFunction('globalThis.shown !== undefined')
    expect(await page.evaluate('globalThis.shown')).toBe(shown)
  } finally {
    await browser.close()
    await site.close()
  }
})
