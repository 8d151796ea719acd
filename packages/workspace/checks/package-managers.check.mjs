import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages, startRegistry } from '../lib/local-registry.mjs'
import { pnpm } from '../lib/root.mjs'
import { run } from '../lib/run.mjs'
import { findRuntime } from '../runtimes.mjs'

const isDeep = process.env['SERVICEKIT_DEEP'] === '1'
const yarn = ['npx', '-y', '@yarnpkg/cli-dist@4.18.1']
const bun = findRuntime('Bun') ?? 'bun'

/**
 * @typedef {object} Manager
 * @property {(registry: string) => Record<string, string>} files with the registry
 * @property {readonly string[]} install
 * @property {readonly string[]} exec runs an installed command
 * @property {readonly string[]} node runs a file
 */

/** @param {string} registry @param {string} linker */
const yarnFiles = (registry, linker) => ({
  'yarn.lock': '',
  '.yarnrc.yml': `npmRegistryServer: '${registry.replace(/\/$/, '')}'
unsafeHttpWhitelist: ['127.0.0.1']
nodeLinker: ${linker}
enableTelemetry: false
# The packages were published a moment ago.
npmMinimalAgeGate: 0
enableImmutableInstalls: false
enableGlobalCache: false
`,
})
/** @param {string} registry */
const npmrc = (registry) => ({ '.npmrc': `registry=${registry}\n` })

/** @type {Record<string, Manager>} */
const managers = {
  npm: {
    files: npmrc,
    install: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
    exec: ['npx'],
    node: [process.execPath],
  },
  pnpm: {
    files: npmrc,
    install: ['npx', '-y', pnpm, 'install', '--no-frozen-lockfile'],
    exec: ['npx', '-y', pnpm, 'exec'],
    node: [process.execPath],
  },
  'yarn with node_modules': {
    files: (registry) => yarnFiles(registry, 'node-modules'),
    install: [...yarn, 'install'],
    exec: yarn,
    node: [...yarn, 'node'],
  },
  "yarn with Plug'n'Play": {
    files: (registry) => yarnFiles(registry, 'pnp'),
    install: [...yarn, 'install'],
    exec: yarn,
    node: [...yarn, 'node'],
  },
  bun: {
    files: (registry) => ({ 'bunfig.toml': `[install]\nregistry = "${registry}"\n` }),
    install: [bun, 'install', '--no-progress'],
    exec: [bun, 'run', '--bun'],
    node: [bun],
  },
}

const project = {
  'package.json': JSON.stringify({
    private: true,
    devDependencies: { servicekit: '*', '@servicekit/unplugin': '*' },
  }),
  'servicekit.config.ts': `import { defineConfig } from 'servicekit'
export default defineConfig({ localization: { from: 'locales' } })
`,
  'locales/en-US/auth.json': '{"SIGN_IN": "Sign in"}',
  'locales/de-DE/auth.json': '{"SIGN_IN": "Anmelden"}',
  'main.cjs': `const { SIGN_IN } = require('./messages/auth.cjs')
require('./messages/runtime.cjs').setLanguage('de-DE')
console.log(SIGN_IN())
`,
}

describe.skipIf(!isDeep)('pull and compile', () => {
  const folder = isDeep ? mkdtempSync(join(tmpdir(), 'servicekit-managers-')) : ''
  /** @type {import('../lib/local-registry.mjs').Registry} */
  let registry
  beforeAll(async () => {
    mkdirSync(join(folder, 'packed'))
    await packPackages(join(folder, 'packed'))
    registry = await startRegistry(join(folder, 'packed'))
  }, 300_000)
  afterAll(async () => {
    await registry?.close()
    if (isDeep) rmSync(folder, { recursive: true, force: true })
  })

  it.each(Object.entries(managers))('work with %s', { timeout: 300_000 }, async (name, manager) => {
    const app = join(folder, name.replaceAll(/\W/g, '-'))
    for (const [file, text] of Object.entries({ ...manager.files(registry.url), ...project })) {
      mkdirSync(dirname(join(app, file)), { recursive: true })
      writeFileSync(join(app, file), text)
    }
    const env = { CI: undefined, NODE_OPTIONS: undefined, NODE_PATH: undefined }
    /** @param {readonly string[]} line */
    const execute = async (...line) => {
      const [command = '', ...args] = line
      const { code, output } = await run(command, args, { cwd: app, env })
      expect(code, `${line.join(' ')}\n${output}`).toBe(0)
      return output
    }
    await execute(...manager.install)
    const pulled = await execute(...manager.exec, 'servicekit', 'pull')
    expect(pulled).toContain('2 languages, 1 module: 2 files')
    expect(pulled).toContain('3 written')
    expect(await execute(...manager.exec, 'servicekit', 'pull', '--frozen')).toContain(
      'No request was sent',
    )
    await execute(...manager.exec, 'servicekit', 'compile', '--sync', '--out', 'messages')
    expect(await execute(...manager.node, 'main.cjs')).toContain('Anmelden')
  })
})
