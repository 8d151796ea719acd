import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, defaultClientConditions } from 'vite'

const folder = join(import.meta.dirname, '../.servicekit')

/** Serves a page in development that lists the languages with the typed client, on a click. */
export async function startClientApplication(options: {
  readonly baseUrl: string
  readonly projectKey: string
}) {
  mkdirSync(folder, { recursive: true })
  const root = mkdtempSync(join(folder, 'application-'))
  const script = `import { createClient } from '@servicekit/client'
const client = createClient({ ...${JSON.stringify(options)}, retry: { attempts: 1 } })
document.querySelector('button').onclick = async () => {
  const output = document.querySelector('output')
  output.textContent = 'loading'
  output.textContent = await client.localization.listLanguages().then(() => 'loaded', ({ status }) => status)
}
`
  writeFileSync(join(root, 'main.js'), script)
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><button>List</button><output></output><script type="module" src="/main.js"></script>',
  )
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source', ...defaultClientConditions] },
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
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
