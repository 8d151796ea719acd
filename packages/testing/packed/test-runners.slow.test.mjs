import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheFolder } from '../../workspace/lib/root.mjs'
import { run } from '../../workspace/lib/run.mjs'
import { npmEnvironment } from '../scaffolds/run-scaffold.mjs'
import { packPackages, startRegistry } from '../src/local-registry.mjs'

// Tests of applications, with the packages that users install.

const folder = mkdtempSync(join(tmpdir(), 'servicekit-runners-'))

/** @type {import('../src/local-registry.mjs').Registry} */
let registry
beforeAll(async () => {
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  await packPackages(packed)
  registry = await startRegistry(packed)
})
afterAll(async () => {
  await registry?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Translations of both applications. */
const locales = {
  'locales/en/cart.json':
    '{ "TITLE": "Cart", "ITEMS_one": "{{count}} item", "ITEMS_other": "{{count}} items" }',
  'locales/de/cart.json':
    '{ "TITLE": "Korb", "ITEMS_one": "{{count}} Artikel", "ITEMS_other": "{{count}} Artikel" }',
}

/**
 * Creates an application, and returns a function that runs a command in it.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string>>} files
 */
function createApp(name, files) {
  const app = join(folder, name)
  const write = (/** @type {Readonly<Record<string, string>>} */ more) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(app, path)), { recursive: true })
      writeFileSync(join(app, path), text)
    }
  }
  write({ ...locales, ...files })
  const env = {
    ...npmEnvironment({ registry: registry.url, cache: join(cacheFolder, 'npm') }),
    npm_config_yes: 'true',
    NO_COLOR: '1',
    CI: undefined,
  }
  return {
    write,
    read: (/** @type {string} */ path) => readFileSync(join(app, path), 'utf8'),
    /** @param {string} line */
    async execute(line) {
      const [command = '', ...args] = line.split(' ')
      const { code, output } = await run(command, args, { cwd: app, env })
      if (code !== 0) throw new Error(`"${line}" failed with exit code ${code}\n${output}`)
      return output
    },
  }
}

const cart = `import { createElement } from 'react'
import { ITEMS, TITLE } from '~uilm/cart'
import { useLanguage } from '~uilm/react'

export function Cart({ count }) {
  useLanguage()
  return createElement('p', { title: TITLE() }, ITEMS({ count }))
}
`

describe('an application', () => {
  it(
    'of Vitest is tested in the default language, in another one, and with keys',
    { timeout: 600_000 },
    async () => {
      const { write, read, execute } = createApp('vitest', {
        'package.json': JSON.stringify({
          type: 'module',
          scripts: { test: 'vitest run', build: 'vite build --ssr src/main.js' },
          dependencies: { react: '^19', 'react-dom': '^19' },
          devDependencies: { vite: '^8', vitest: '^4' },
        }),
        'vite.config.js': `import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n`,
        'src/cart.js': cart,
        'src/main.js': `export { Cart } from './cart.js'\n`,
        'src/cart.test.js': `import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { setLanguage } from '~uilm'
import { Cart } from './cart.js'

const shown = () => renderToStaticMarkup(createElement(Cart, { count: 1 }))

it('shows the cart', async () => {
  expect(shown()).toBe('<p title="Cart">1 item</p>')
  await setLanguage('de')
  expect(shown()).toBe('<p title="Korb">1 Artikel</p>')
})
`,
      })
      await execute('npm install')
      await execute('npx servicekit init --yes --from locales')
      expect(await execute('npm test')).toContain('1 passed')

      // A test of before, whose mock of i18next returned keys.
      write({
        'src/cart.test.js': `import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Cart } from './cart.js'

it('shows the cart', () => {
  expect(renderToStaticMarkup(createElement(Cart, { count: 1 }))).toBe('<p title="TITLE">ITEMS</p>')
})
`,
      })
      await expect(execute('npm test')).rejects.toThrow('1 failed')
      const config = read('vite.config.js')
      expect(config).toContain('uilm()')
      write({
        'vite.config.js': config.replace(
          'uilm()',
          'uilm({ showKeys: process.env.VITEST !== undefined })',
        ),
      })
      expect(await execute('npm test')).toContain('1 passed')
      await execute('npm run build')
      expect(read('dist/main.js')).not.toContain('"TITLE"')
    },
  )

  it(
    'of Jest is tested in the default language, in another one, and with keys',
    { timeout: 600_000 },
    async () => {
      const test = (/** @type {string} */ code) => `const { createElement } = require('react')
const { renderToStaticMarkup } = require('react-dom/server')
const { setLanguage } = require('~uilm')
const { Cart } = require('./cart.js')

const shown = () => renderToStaticMarkup(createElement(Cart, { count: 1 }))
it('shows the cart', () => {
${code}
})
`
      const { write, execute } = createApp('jest', {
        'package.json': JSON.stringify({
          scripts: { test: 'jest' },
          dependencies: { react: '^19', 'react-dom': '^19' },
          devDependencies: { jest: '^30', servicekit: '*' },
          jest: {
            moduleNameMapper: {
              '^~uilm$': '<rootDir>/messages/runtime.cjs',
              '^~uilm/(.*)$': '<rootDir>/messages/$1.cjs',
            },
          },
        }),
        'servicekit.config.json': '{ "localization": { "from": "locales" } }',
        'src/cart.js': cart
          .replaceAll(/import (\{.*\}) from ('.*')/g, 'const $1 = require($2)')
          .replace('export function Cart', 'exports.Cart = function Cart'),
        'src/cart.test.js': test(`  expect(shown()).toBe('<p title="Cart">1 item</p>')
  setLanguage('de')
  expect(shown()).toBe('<p title="Korb">1 Artikel</p>')`),
      })
      await execute('npm install')
      await execute('npx servicekit compile --sync --out messages')
      expect(await execute('npm test')).toContain('1 passed')

      write({ 'src/cart.test.js': test(`  expect(shown()).toBe('<p title="TITLE">ITEMS</p>')`) })
      await expect(execute('npm test')).rejects.toThrow('1 failed')
      await execute('npx servicekit compile --sync --show-keys --out messages')
      expect(await execute('npm test')).toContain('1 passed')
    },
  )
})
