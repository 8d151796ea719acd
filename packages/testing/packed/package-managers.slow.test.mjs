import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages, startRegistry } from '../src/local-registry.mjs'
import { pnpm } from '../../workspace/lib/root.mjs'
import { run } from '../../workspace/lib/run.mjs'
import { findRuntime } from '../src/runtimes.mjs'
import { startPlatform } from '../scaffolds/start-platform.mjs'
import { withoutNetwork } from '../scaffolds/run-scaffold.mjs'
import { isDeep } from '../src/is-deep.ts'

// Programs rather than npx, which needs the registry for each command.
const tools = isDeep ? mkdtempSync(join(tmpdir(), 'servicekit-tools-')) : ''
const yarn = [process.execPath, join(tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')]
const pnpmProgram = [process.execPath, join(tools, 'node_modules/pnpm/bin/pnpm.cjs')]
const bun = findRuntime('Bun') ?? 'bun'

/**
 * @typedef {object} Manager
 * @property {(registry: string) => Record<string, string>} files with the registry
 * @property {readonly string[]} install
 * @property {readonly string[]} exec runs an installed command
 * @property {readonly string[]} execute runs a command of a package that is not installed
 * @property {readonly string[]} frozen installs exactly what the lock file has
 * @property {readonly string[]} production installs without devDependencies
 * @property {readonly string[]} run runs a script of package.json
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
    execute: ['npx', '-y'],
    // `npm ci` needs the list of versions of optional packages.
    frozen: ['npm', 'install'],
    production: ['npm', 'install', '--omit=dev'],
    run: ['npm', 'run'],
    node: [process.execPath],
  },
  pnpm: {
    files: npmrc,
    install: [...pnpmProgram, 'install', '--no-frozen-lockfile'],
    exec: [...pnpmProgram, 'exec'],
    execute: [...pnpmProgram, 'dlx'],
    frozen: [...pnpmProgram, 'install', '--frozen-lockfile', '--offline'],
    production: [...pnpmProgram, 'install', '--prod', '--frozen-lockfile', '--offline'],
    run: [...pnpmProgram, 'run'],
    node: [process.execPath],
  },
  'yarn with node_modules': {
    files: (registry) => yarnFiles(registry, 'node-modules'),
    install: [...yarn, 'install'],
    exec: yarn,
    execute: [...yarn, 'dlx'],
    frozen: [...yarn, 'install', '--immutable'],
    production: [...yarn, 'workspaces', 'focus', '--production'],
    run: [...yarn, 'run'],
    node: [...yarn, 'node'],
  },
  "yarn with Plug'n'Play": {
    files: (registry) => yarnFiles(registry, 'pnp'),
    install: [...yarn, 'install'],
    exec: yarn,
    execute: [...yarn, 'dlx'],
    frozen: [...yarn, 'install', '--immutable'],
    production: [...yarn, 'workspaces', 'focus', '--production'],
    run: [...yarn, 'run'],
    node: [...yarn, 'node'],
  },
  bun: {
    files: (registry) => ({ 'bunfig.toml': `[install]\nregistry = "${registry}"\n` }),
    install: [bun, 'install', '--no-progress'],
    exec: [bun, 'run', '--bun'],
    execute: [bun, 'x'],
    frozen: [bun, 'install', '--frozen-lockfile'],
    production: [bun, 'install', '--production'],
    run: [bun, 'run'],
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

/** Application of `npm create vite@latest`, with the TypeScript that Yarn can patch. */
const viteApp = {
  'package.json': JSON.stringify({
    name: 'app',
    private: true,
    type: 'module',
    scripts: { dev: 'vite', build: 'tsc -b && vite build' },
    dependencies: { react: '^19', 'react-dom': '^19' },
    devDependencies: {
      '@types/react': '^19',
      '@types/react-dom': '^19',
      '@vitejs/plugin-react': '^6',
      typescript: '^6.0.0',
      vite: '^8',
    },
  }),
  'index.html': '<div id="root"></div><script type="module" src="/src/main.tsx"></script>\n',
  'vite.config.ts':
    "import react from '@vitejs/plugin-react'\nimport { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [react()],\n})\n",
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      jsx: 'react-jsx',
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: ['vite/client'],
    },
    include: ['src', 'vite.config.ts'],
  }),
  'src/main.tsx':
    "import { createRoot } from 'react-dom/client'\nimport { App } from './App'\n\ncreateRoot(document.getElementById('root')!).render(<App />)\n",
  'src/App.tsx':
    'export function App() {\n  return (\n    <main>\n      <h1>Vite</h1>\n    </main>\n  )\n}\n',
}

describe.skipIf(!isDeep)('package managers', () => {
  const folder = isDeep ? mkdtempSync(join(tmpdir(), 'servicekit-managers-')) : ''
  /** @type {import('../src/local-registry.mjs').Registry} */
  let registry
  /** @type {Awaited<ReturnType<typeof startPlatform>>} */
  let platform
  beforeAll(async () => {
    mkdirSync(join(folder, 'packed'))
    await packPackages(join(folder, 'packed'))
    registry = await startRegistry(join(folder, 'packed'))
    platform = await startPlatform(folder)
    const install = ['install', '--no-audit', '--no-fund', '--prefer-offline']
    const installed = await run('npm', [...install, pnpm, '@yarnpkg/cli-dist@4.18.1'], {
      cwd: tools,
    })
    expect(installed.code, installed.output).toBe(0)
    writePrograms(join(folder, 'bin'))
  }, 300_000)
  afterAll(async () => {
    await platform?.stop()
    await registry?.close()
    for (const path of isDeep ? [folder, tools] : []) {
      rmSync(path, { recursive: true, force: true })
    }
  })

  /**
   * Writes an application and returns a function that runs commands in it.
   *
   * @param {string} name
   * @param {Record<string, string>} files
   */
  const writeApp = (name, files) => {
    const app = join(folder, name.replaceAll(/\W/g, '-'))
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(app, file)), { recursive: true })
      writeFileSync(join(app, file), text)
    }
    const env = {
      CI: undefined,
      NODE_OPTIONS: undefined,
      NODE_PATH: undefined,
      // `bunx` does not read bunfig.toml.
      npm_config_registry: registry.url,
      // These would run the packages of an earlier run, which have the same version.
      BUN_INSTALL_CACHE_DIR: join(folder, 'bun'),
      YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
      npm_config_prefer_offline: 'true',
      npm_config_omit_lockfile_registry_resolved: 'false',
      // Those of the npm that runs the tests.
      npm_config_user_agent: undefined,
      npm_execpath: undefined,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
    }
    /** @param {readonly string[]} line @param {Record<string, string>} [extra] */
    const execute = async (line, extra = {}) => {
      const [command = '', ...args] = line
      const { code, output } = await run(command, args, { cwd: app, env: { ...env, ...extra } })
      expect(code, `${line.join(' ')}\n${output}`).toBe(0)
      return output
    }
    return { app, execute }
  }

  it.each(Object.entries(managers))(
    'pull and compile with %s',
    { timeout: 300_000 },
    async (name, manager) => {
      const files = { ...manager.files(registry.url), ...project }
      const { execute } = writeApp(name, files)
      await execute(manager.install)
      const pulled = await execute([...manager.exec, 'servicekit', 'pull'])
      expect(pulled).toContain('2 languages, 1 module: 2 files')
      expect(pulled).toContain('3 written')
      expect(await execute([...manager.exec, 'servicekit', 'pull', '--frozen'])).toContain(
        'No request was sent',
      )
      await execute([...manager.exec, 'servicekit', 'compile', '--sync', '--out', 'messages'])
      expect(await execute([...manager.node, 'main.cjs'])).toContain('Anmelden')
    },
  )

  it.each(Object.entries(managers))(
    'set up an application and build its clean clone with %s',
    { timeout: 600_000 },
    async (name, manager) => {
      const files = { ...manager.files(registry.url), ...viteApp }
      const { app, execute } = writeApp(`init ${name}`, files)
      const { baseUrl, projectKey } = platform.service
      const service = ['--url', baseUrl, '--key', projectKey]
      const init = [...manager.execute, 'servicekit', 'init', '--yes', '--example', ...service]
      expect(await execute(init)).toContain('The type check passed (tsc --noEmit)')
      expect(await execute(init)).toContain('Nothing to change.')
      for (const file of ['.servicekit', 'node_modules', '.pnp.cjs', '.pnp.loader.mjs']) {
        rmSync(join(app, file), { recursive: true, force: true })
      }
      const prefix = await withoutNetwork()
      const clean = { CI: 'true', npm_config_offline: 'true' }
      await execute([...prefix, ...manager.frozen], clean)
      const assets = join(app, 'dist/assets')
      const built = []
      for (const CI of ['true', '']) {
        await execute([...prefix, ...manager.run, 'build'], { ...clean, CI })
        const names = readdirSync(assets).toSorted()
        built.push(names.map((file) => [file, readFileSync(join(assets, file), 'utf8')]))
      }
      expect(JSON.stringify(built[0])).toContain('Our ceramics')
      expect(built[1]).toEqual(built[0])

      // As a container installs: only the manifest and the lock file, without devDependencies.
      for (const file of ['.servicekit', 'node_modules', 'src', 'uilm', 'uilm.lock.json']) {
        rmSync(join(app, file), { recursive: true, force: true })
      }
      await execute([...prefix, ...manager.production], clean)
    },
  )

  it.each([
    ['no lockfile', {}],
    ['a lockfile', { 'bun.lock': '' }],
  ])(
    'bunx sets up a program with %s, and adds the packages with bun',
    { timeout: 300_000 },
    async (name, lockfile) => {
      const { app, execute } = writeApp(`bunx ${name}`, {
        'package.json': '{"name": "app", "type": "module", "scripts": {"start": "bun index.ts"}}',
        'index.ts': "console.log('Hello')\n",
        ...lockfile,
      })
      const { baseUrl, projectKey } = platform.service
      const service = ['--url', baseUrl, '--key', projectKey]
      const init = [bun, 'x', 'servicekit', 'init', '--yes', '--example', ...service]
      expect(await execute(init)).toContain('bun add -D servicekit@')
      expect(readdirSync(app)).toEqual(expect.arrayContaining(['bun.lock', 'node_modules']))
      expect(readdirSync(app)).not.toContain('package-lock.json')
      const printed = await execute([bun, 'run', 'start'])
      expect(printed).toMatch(/Our ceramics\n[^]*Harbour Mug/)
      expect(await execute(init)).toContain('Nothing to change.')
    },
  )
})

/** Writes the programs of the package managers, which init runs by name. @param {string} bin */
function writePrograms(bin) {
  mkdirSync(bin)
  const programs = { pnpm: pnpmProgram, yarn, bun: [bun] }
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${line.join(' ')} "$@"\n`, { mode: 0o755 })
  }
}
