import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isBrowserMissing, launchBrowser } from '../../packages/testing/src/browser.mjs'
import { readJson, root } from '../../packages/workspace/lib/root.mjs'
import { app } from '../../packages/workspace/start/app.mjs'

const run = promisify(execFile)
const page = await readFile(join(root, 'docs/guides/leaving.md'), 'utf8')
const vite = join(app, 'node_modules/vite/bin/vite.js')

/** An application with the plugin, which then leaves as the page says. */
const folder = join(app, '.servicekit/leaving')

/** Files of the application. @type {Readonly<Record<string, string>>} */
const files = {
  'vite.config.ts': `import { uilm } from '@servicekit/unplugin/vite'
import react from '@vitejs/plugin-react'

export default { plugins: [react(), uilm()] }
`,
  'servicekit.config.ts': 'export default { localization: {} }\n',
  'index.html': '<div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  'src/servicekit-env.d.ts': '/// <reference path="../.servicekit/types/index.d.ts" />\n',
  'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { setLanguage } from '~uilm'
import { PRODUCTS_COUNT, PRODUCTS_HEADING } from '~uilm/catalog'
import { useLanguage } from '~uilm/react'

function Shop() {
  const [language] = useLanguage()
  return (
    <main lang={language}>
      <h1>{PRODUCTS_HEADING()}</h1>
      <p>{PRODUCTS_COUNT({ count: 2 })}</p>
      <button onClick={() => void setLanguage('de-DE')}>Deutsch</button>
    </main>
  )
}
createRoot(document.getElementById('root')!).render(<Shop />)
`,
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await writeFile(join(folder, 'package.json'), '{"type": "module", "private": true}\n')
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: readJson(join(app, 'tsconfig.json')).compilerOptions,
      include: ['src'],
    }),
  )
  await cp(join(root, 'fixtures/projects/storefront/uilm'), join(folder, 'texts'), {
    recursive: true,
  })
  await servicekit('pull', '--from', 'texts')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** @param {readonly string[]} args */
const servicekit = (...args) =>
  run(process.execPath, [join(app, 'node_modules/servicekit/bin/servicekit.js'), ...args], {
    cwd: folder,
  })

/** Returns what the built page shows in English and, after a click, in German. */
async function shown() {
  await run(process.execPath, [vite, 'build', '--base', './'], { cwd: folder })
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ locale: 'en-US' })
    await context.route('http://app.test/**', (route) => {
      const path = new URL(route.request().url()).pathname
      return route.fulfill({ path: join(folder, 'dist', path === '/' ? 'index.html' : path) })
    })
    const opened = await context.newPage()
    await opened.goto('http://app.test/')
    const main = opened.locator('main')
    await expect.poll(() => main.getAttribute('lang')).toBe('en-US')
    const english = await main.innerText()
    await opened.getByRole('button').click()
    await expect.poll(() => main.getAttribute('lang')).toBe('de-DE')
    return [english, await main.innerText()]
  } finally {
    await browser.close()
  }
}

/** Reports the errors of the compiler. */
async function typeErrors() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript')), 'tsc.js')
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', folder]).catch(
    (error) => error,
  )
  return stdout
}

it.skipIf(isBrowserMissing())('keeps every message without any package of Servicekit', async () => {
  const before = await shown()
  expect(before[0]).not.toBe(before[1])
  expect(await typeErrors()).toBe('')

  const [command = ''] = /^npx servicekit compile .*$/m.exec(page) ?? []
  await servicekit(...command.split(' ').slice(2))
  const [, manifest = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', private: true, ...JSON.parse(manifest) }),
  )
  const rows = [...page.matchAll(/^\| `'(~uilm\S*)` +\| `'(#\S+?)` +\|$/gm)]
  expect(rows).toHaveLength(2)
  let text = files['src/main.tsx'] ?? ''
  for (const [, from = '', to = ''] of rows) text = text.replaceAll(`'${from}`, `'${to}`)
  await writeFile(join(folder, 'src/main.tsx'), text)
  const config = files['vite.config.ts'] ?? ''
  await writeFile(
    join(folder, 'vite.config.ts'),
    config.replace(/^.*unplugin.*\n/, '').replace(', uilm()', ''),
  )
  for (const path of [
    'src/servicekit-env.d.ts',
    '.servicekit',
    'uilm',
    'uilm.lock.json',
    'servicekit.config.ts',
    'texts',
  ]) {
    await rm(join(folder, path), { recursive: true })
  }

  expect(await typeErrors()).toBe('')
  expect(await shown()).toEqual(before)
  const left = await readdir(folder, { recursive: true, withFileTypes: true })
  const sources = left.filter((entry) => entry.isFile() && extname(entry.name) !== '.map')
  for (const entry of sources) {
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
    expect(text, entry.name).not.toMatch(/^(?:im|ex)port .*['"](?:@servicekit|servicekit|~uilm)/m)
  }
})
