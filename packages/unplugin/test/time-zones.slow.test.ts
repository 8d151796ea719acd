import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { findRuntime, isRuntimeMissing } from '@servicekit/testing/runtimes'
import react from '@vitejs/plugin-react'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { writeApp, writeSnapshot } from './project.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const apps = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url))
const guide = readFileSync(
  new URL('../../../docs/guides/dates-and-numbers.md', import.meta.url),
  'utf8',
)
/** Returns an example of the guide by the name of its file. */
const example = (file: string): string => guide.split(`[${file}]\n`)[1]!.split('\n```')[0]!

const texts = {
  'en-US/shop': { SHIPPED: 'Shipped {{when, datetime(dateStyle: medium; timeStyle: short)}}' },
}
/** 16:30 in UTC, 18:30 in Berlin, and the next day in Tokyo. */
const when = 'new Date(Date.UTC(2026, 6, 1, 16, 30))'
const inUtc = 'Shipped Jul 1, 2026, 4:30 PM'
const inBerlin = 'Shipped Jul 1, 2026, 6:30 PM'
const inTokyo = 'Shipped Jul 2, 2026, 1:30 AM'

let browser: Browser | undefined
const copies: string[] = []
const children: ChildProcess[] = []
beforeAll(async () => {
  if (!isBrowserMissing()) browser = await launchBrowser()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGTERM')
})
afterAll(async () => {
  await browser?.close()
  await Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true })))
})

/** Creates a folder inside an application, where its packages are resolved. */
async function folderIn(app: string, files: Record<string, string>): Promise<string> {
  const folder = join(apps, app, '.servicekit/time-zones')
  copies.push(folder)
  await rm(folder, { recursive: true, force: true })
  await writeApp(folder, files)
  await writeSnapshot(folder, texts)
  return folder
}

/** Starts a server in UTC and waits for its address. */
async function startInUtc(runtime: string, script: string, cwd: string): Promise<string> {
  const child = spawn(runtime, [script], {
    cwd,
    env: { ...process.env, TZ: 'UTC', NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  for await (const chunk of child.stdout) {
    const found = /http:\/\/[^\s]+/.exec(String(chunk))
    if (found) return found[0]
  }
  throw new Error('the server ended')
}

/** Opens a page for a visitor in Tokyo; returns the HTML of the server, the page and problems. */
async function visit(url: string) {
  const context = await browser!.newContext({ locale: 'en-US', timezoneId: 'Asia/Tokyo' })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => void problems.push(String(error)))
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) problems.push(message.text())
  })
  const open = async () => {
    const html = await (await page.goto(url))!.text()
    await page.locator('p[data-hydrated]').waitFor()
    return { html, shown: await page.textContent('p') }
  }
  return { page, problems, open, close: () => context.close() }
}

const reactApp = {
  'package.json': '{"type": "module"}',
  'index.html':
    '<!doctype html><html><head><link rel="icon" href="data:,"></head><body><div id="root"><!--page--></div><script type="module" src="/src/entry-client.tsx"></script></body></html>',
  'src/order.tsx': `import { useEffect, useState, useSyncExternalStore } from 'react'
import { getChanges, subscribe } from '~uilm'
import { SHIPPED } from '~uilm/shop'

export function Order() {
  useSyncExternalStore(subscribe, getChanges, getChanges)
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  return <p data-hydrated={isHydrated || undefined}>{SHIPPED({ when: ${when} })}</p>
}
`,
  'src/entry-client.tsx': `import { hydrateRoot } from 'react-dom/client'
import { setTimeZone } from '~uilm'
import { Order } from './order.tsx'

Object.assign(globalThis, { setTimeZone })
hydrateRoot(document.getElementById('root')!, <Order />)
`,
  'server.js': `import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { render } from './dist/server/entry-server.js'

const template = readFileSync('dist/client/index.html', 'utf8')
const server = createServer(async ({ url, headers }, response) => {
  if (url !== '/') {
    response.setHeader('content-type', 'text/javascript')
    return response.end(readFileSync('dist/client' + url))
  }
  response.setHeader('content-type', 'text/html')
  response.end(await render(headers['accept-language'], template))
})
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/'))
`,
}

async function startReact(entryServer: string, inline?: string): Promise<string> {
  const root = await folderIn('vite-react-ssr', {
    ...reactApp,
    'src/entry-server.tsx': entryServer,
  })
  // The plugin of React reads it.
  vi.stubEnv('NODE_ENV', 'production')
  for (const part of ['client', 'server']) {
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [react(), uilm({ root, ...(inline === undefined ? {} : { inline }) })],
      build: {
        target: 'esnext',
        outDir: `dist/${part}`,
        ...(part === 'server' ? { ssr: 'src/entry-server.tsx' } : {}),
      },
    })
  }
  return startInUtc(process.execPath, 'server.js', root)
}

describe.skipIf(isBrowserMissing())('a page of a server in UTC for a visitor in Tokyo', () => {
  it.each(['all languages', 'one language'])(
    'hydrates in the time zone that the server of React sets, and follows the time zone: %s',
    async (languages) => {
      const inline = languages === 'one language' ? 'en-US' : undefined
      const url = await startReact(example('src/entry-server.tsx'), inline)
      const { page, problems, open, close } = await visit(url)
      const { html, shown } = await open()
      expect(html).toContain(inBerlin)
      expect([shown, problems]).toEqual([inBerlin, []])
      await page.evaluate('setTimeZone()')
      await page.getByText(inTokyo).waitFor()
      await close()
    },
  )

  it('is a mismatch in React without a time zone', async () => {
    const entry = example('src/entry-server.tsx').replace(', { timeZone })', ')')
    const { problems, open, close } = await visit(await startReact(entry))
    const { html, shown } = await open()
    expect(html).toContain(inUtc)
    expect(shown).toBe(inTokyo)
    expect(problems).toEqual([expect.stringContaining('Minified React error #418')])
    await close()
  })

  it.skipIf(isRuntimeMissing('Node 22'))(
    'hydrates in the time zone of the cookie with SvelteKit',
    async () => {
      const root = await folderIn('sveltekit', {
        'package.json': '{"type": "module"}',
        'src/hooks.server.ts': `${example('src/hooks.server.ts')}\n`,
        'src/routes/+layout.svelte': `${example('src/routes/+layout.svelte')}\n`,
        'src/routes/+page.svelte': `<script>
  import { onMount } from 'svelte'
  import { SHIPPED } from '~uilm/shop'
  const before = SHIPPED({ when: ${when} })
  let isHydrated = $state(false)
  onMount(() => void (isHydrated = true))
</script>

<p data-hydrated={isHydrated ? before : undefined}>{SHIPPED({ when: ${when} })}</p>
`,
      })
      const app = join(apps, 'sveltekit')
      await cp(join(app, 'src/app.html'), join(root, 'src/app.html'))
      await cp(join(app, 'vite.config.ts'), join(root, 'vite.config.ts'))
      await cp(join(app, 'tsconfig.json'), join(root, 'tsconfig.json'))
      const node = findRuntime('Node 22')!
      const vite = spawn(node, [join(app, 'node_modules/vite/bin/vite.js'), 'build'], {
        cwd: root,
        env: { ...process.env, NODE_ENV: 'production', VITEST: '' },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      expect(await new Promise((done) => vite.once('exit', done))).toBe(0)
      const url = await startInUtc(node, 'build/index.js', root)
      const { page, problems, open, close } = await visit(url)
      const first = await open()
      expect(first.html).toContain(inUtc)
      expect(await page.getAttribute('p', 'data-hydrated')).toBe(inUtc)
      await page.getByText(inTokyo).waitFor()
      const second = await open()
      expect(second.html).toContain(inTokyo)
      expect(await page.getAttribute('p', 'data-hydrated')).toBe(inTokyo)
      expect(problems).toEqual([])
      await close()
    },
  )
})
