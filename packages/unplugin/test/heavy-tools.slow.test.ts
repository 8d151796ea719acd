import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { launchProfile } from '@servicekit/testing/browser'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkTypes } from './check-types.ts'
import { copyApp, environmentOf } from './framework-app.ts'
import { itemsOf } from './interleaved.ts'
import { serveFolder, startStorefront, type Storefront, textOf } from './storefront.ts'

// Runs tools on a machine that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const run = promisify(execFile)
const title = (language: string): string => textOf(language, 'common', 'APP_TITLE')

let platform: Storefront
beforeAll(async () => {
  platform = await startStorefront()
})
afterAll(() => platform?.close())

async function prepare(name: string): Promise<string> {
  const root = await copyApp(name)
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return root
}

const script = (root: string, name: string) =>
  run('npm', ['run', name], {
    cwd: root,
    env: { ...environmentOf(platform), NO_COLOR: '1' },
    maxBuffer: 1e8,
  }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(stdout + stderr)
  })

/** Opens a page in a browser that prefers German and is closed with the test. */
async function openPage(...args: readonly string[]) {
  const context = await launchProfile('de-DE', ...args)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => void problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return { context, page, problems }
}

describe('an application with', () => {
  it('ESLint has no unresolved import, and TypeScript finds an unknown key', async () => {
    const root = await prepare('heavy/eslint')
    await run('npx', ['--no', 'servicekit', 'pull'], { cwd: root, env: environmentOf(platform) })
    await script(root, 'lint')
    await script(root, 'typecheck')
    const file = join(root, 'src/cart.ts')
    const code = await readFile(file, 'utf8')
    await writeFile(file, code.replaceAll('CART_ITEMS', 'CART_ITEM'))
    await expect(script(root, 'typecheck')).rejects.toThrow("Did you mean 'CART_ITEMS'?")
    // The rules still find a missing file.
    await writeFile(file, code.replace('./separator.ts', './separators.ts'))
    await expect(script(root, 'lint')).rejects.toThrow(
      /import-x\/no-unresolved[\s\S]*n\/no-missing-import/,
    )
  })

  it('Storybook shows a story in the language of the toolbar', async () => {
    const root = await prepare('heavy/storybook')
    await script(root, 'build')
    await checkTypes(root)
    const site = await serveFolder(join(root, 'storybook-static'))
    onTestFinished(() => void site.close())
    const { page, problems } = await openPage()
    const story = `${site.url}iframe.html?id=cart--three-items`
    await page.goto(story)
    await page.getByText(itemsOf('en-US', 3)).waitFor()
    await page.goto(`${story}&globals=language:de-DE`)
    await page.getByText(itemsOf('de-DE', 3)).waitFor()
    // The story has no icon.
    expect(problems.filter((text) => !text.includes('404'))).toEqual([])
  })

  it('Manifest V3 runs in Chromium without eval, in two languages', async () => {
    const root = await prepare('web-extension')
    await script(root, 'build')
    await checkTypes(root)
    const dist = join(root, 'dist')
    for (const file of (await readdir(dist)).filter((name) => name.endsWith('.js'))) {
      expect(await readFile(join(dist, file), 'utf8')).not.toMatch(/\beval\(|\bFunction\(/)
    }
    const { context, page, problems } = await openPage(
      `--load-extension=${dist}`,
      `--disable-extensions-except=${dist}`,
    )
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await page.goto(new URL('popup.html', worker.url()).href)
    await page.getByText(title('de-DE')).waitFor()
    await page.selectOption('select', 'en-US')
    await page.getByText(title('en-US')).waitFor()
    expect(problems).toEqual([])
    const language = await worker.evaluate<string>('navigator.language')
    const items = await worker.evaluate<string>('chrome.action.getTitle({})')
    expect(items).toBe(itemsOf(language.startsWith('de') ? 'de-DE' : 'en-US', 3))
  })

  // Electron's program comes from a download that a test does not make: Node runs the main
  // process with a module instead of Electron, and Chromium loads the page from its file.
  it('electron-vite has messages in the main process and in the page', async () => {
    const root = await prepare('heavy/electron')
    await script(root, 'build')
    await checkTypes(root)
    await mkdir(join(root, 'node_modules/electron'), { recursive: true })
    await writeFile(
      join(root, 'node_modules/electron/index.js'),
      `exports.app = {
  whenReady: async () => {},
  getPreferredSystemLanguages: () => ['de-AT', 'en-US'],
}
exports.Menu = {
  buildFromTemplate: (menu) => menu,
  setApplicationMenu: ([{ label }]) => console.log(label),
}
exports.BrowserWindow = class {
  loadFile = async (file) => console.log(file)
}
`,
    )
    const { stdout } = await run(process.execPath, ['out/main/index.js'], { cwd: root })
    const file = join(root, 'out/renderer/index.html')
    expect(stdout.trim().split('\n')).toEqual([textOf('de-DE', 'common', 'NAV_ABOUT'), file])
    expect(await readFile(join(root, 'out/preload/index.cjs'), 'utf8')).toContain('require(')
    const { page, problems } = await openPage('--allow-file-access-from-files')
    await page.goto(pathToFileURL(file).href)
    await page.getByText(title('de-DE')).waitFor()
    await page.selectOption('select', 'fr-FR')
    await page.getByText(title('fr-FR')).waitFor()
    expect(problems).toEqual([])
  })
})
