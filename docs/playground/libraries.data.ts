import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { uilm } from '@servicekit/unplugin/vite'
import { build, type PluginOption } from 'vite'

/** Bytes of each library (gzip) in a page with one short message, measured when the site is built. */
export interface Libraries {
  readonly servicekit: number
  readonly paraglide: number
  readonly i18next: number
}

const require = createRequire(import.meta.url)

declare const data: Libraries
export { data }

export default {
  async load(): Promise<Libraries> {
    const root = await mkdtemp(join(tmpdir(), 'servicekit-playground-'))
    try {
      for (const language of ['en', 'de']) {
        await writeJson(join(root, 'locales', language, 'app.json'), { ok: 'OK' })
        await writeJson(join(root, 'messages', `${language}.json`), { ok: 'OK' })
      }
      await writeJson(join(root, 'project.inlang/settings.json'), {
        baseLocale: 'en',
        locales: ['en', 'de'],
        modules: [require.resolve('@inlang/plugin-message-format')],
        telemetry: 'off',
        'plugin.inlang.messageFormat': { pathPattern: './messages/{locale}.json' },
      })
      const plugin = paraglideVitePlugin({
        project: join(root, 'project.inlang'),
        outdir: join(root, 'paraglide'),
        outputStructure: 'message-modules',
      })
      return {
        servicekit: await sizeOf(root, `import { ok } from '~uilm/app'\ndocument.title = ok()`, [
          uilm({ root, from: 'locales' }),
        ]),
        paraglide: await sizeOf(
          root,
          `import { m } from './paraglide/messages.js'\ndocument.title = m.ok()`,
          [plugin],
        ),
        i18next: await sizeOf(
          root,
          `import i18next from '${require.resolve('i18next')}'
await i18next.init({ lng: 'en', resources: { en: { translation: { ok: 'OK' } } } })
document.title = i18next.t('ok')`,
          [],
        ),
      }
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(value))
}

/** Builds a page and returns the bytes of the scripts that it loads in the first language. */
async function sizeOf(root: string, code: string, plugins: PluginOption[]): Promise<number> {
  await writeFile(join(root, 'index.html'), '<script type="module" src="/page.js"></script>')
  await writeFile(join(root, 'page.js'), code)
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins,
    build: { write: false, modulePreload: { polyfill: false } },
  })
  const [built] = [result].flat()
  const files = built && 'output' in built ? built.output : []
  return files
    .flatMap((file) => (file.fileName.endsWith('.js') ? [file] : []))
    .filter(({ fileName }) => !fileName.endsWith('.de.js'))
    .map((file) => gzipSync(file.type === 'chunk' ? file.code : file.source).length)
    .reduce((sum, size) => sum + size, 0)
}
