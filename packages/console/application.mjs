import { uilm } from '@servicekit/unplugin/vite'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'

const files = {
  'package.json': '{"type": "module"}',
  'index.html':
    '<!doctype html><link rel="icon" href="data:,"><h1></h1><p></p><script type="module" src="/src/main.js"></script>',
  'src/main.js': `import { setLanguage, subscribe } from '~uilm'
import { NAV_ABOUT, NAV_CART } from '~uilm/common'
const show = () => {
  document.querySelector('h1').textContent = NAV_ABOUT()
  document.querySelector('p').textContent = NAV_CART()
}
subscribe(show)
await setLanguage('en-US')
show()
`,
}

/**
 * Serves an application with the plugin in development.
 *
 * @param {{ baseUrl: string, projectKey: string }} platform
 */
export async function startApplication({ baseUrl, projectKey }) {
  const root = mkdtempSync(join(tmpdir(), 'console-application-'))
  mkdirSync(join(root, 'src'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [uilm({ root, baseUrl, projectKey })],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    close: async () => {
      await server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
