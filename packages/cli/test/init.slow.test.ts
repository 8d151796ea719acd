import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isDeep } from '@servicekit/testing/is-deep'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Prompts } from '../src/io.ts'
import { main } from '../src/main.ts'
import { deployed, startDeployedInstance } from './deployed/instance.ts'
import { useProjectFolder } from './project-folder.ts'

const packages = join(import.meta.dirname, '../..')
const project = useProjectFolder()
const { write, read } = project

const page = `export default function App() {
  return (
    <main>
      <h1>Title</h1>
    </main>
  )
}
`
/** The part of React's types that the example needs. */
const reactTypes = `declare module 'react' {
  export function useState<T>(initial: T): [T, (value: T) => void]
  export function useEffect(run: () => void, dependencies: unknown[]): void
}
declare namespace JSX { interface IntrinsicElements { [name: string]: object } }
`
const viteConfig = 'export default { plugins: [] }\n'

/** Writes an application with vite, in which the packages are installed. */
async function writeApp(files: Record<string, string> = {}): Promise<void> {
  const devDependencies = {
    vite: '*',
    typescript: '*',
    servicekit: '*',
    '@servicekit/unplugin': '*',
  }
  await write({
    'package.json': `${JSON.stringify({ type: 'module', dependencies: { react: '*' }, devDependencies }, undefined, 2)}\n`,
    'package-lock.json': '{}',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        jsx: 'preserve',
        module: 'preserve',
        lib: ['es2023', 'dom'],
        types: [],
      },
      include: ['src'],
    }),
    'vite.config.js': viteConfig,
    'src/App.tsx': page,
    'src/react.d.ts': reactTypes,
    ...files,
  })
  // TypeScript 7 takes a fraction of the time of TypeScript 6.
  const typescript = join(packages, '../node_modules/typescript-7')
  await mkdir(join(project.root, 'node_modules/@servicekit'), { recursive: true })
  await mkdir(join(project.root, 'node_modules/.bin'))
  for (const [name, target] of [
    ['servicekit', join(packages, 'cli')],
    ['@servicekit/unplugin', join(packages, 'unplugin')],
    ['typescript', typescript],
    ['.bin/servicekit', join(packages, 'cli/bin/servicekit.js')],
    ['.bin/tsc', join(typescript, 'bin/tsc')],
  ] as const) {
    await symlink(target, join(project.root, 'node_modules', name))
  }
}

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function init(args: readonly string[] = [], prompts?: Partial<Prompts>): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const folder = args.includes('--root') ? [] : ['--root', project.root]
  const code = await main(['init', ...(prompts ? [] : ['--yes']), ...folder, ...args], {
    stdout: (text) => (stdout += text),
    stderr: (text) => (stderr += text),
    isTerminal: false,
    progressIntervalMs: Infinity,
    ...(prompts && { prompts: prompts as Prompts }),
    signal: new AbortController().signal,
  })
  return { code, stdout, stderr }
}
const service = () => ['--url', project.platform.baseUrl, '--key', project.platform.projectKeys[0]!]

/** Returns the texts of all files outside of node_modules. */
async function snapshot(): Promise<Record<string, string>> {
  const entries = await readdir(project.root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  )
}

it('writes the preset that fits a deployed instance, and changes that of a configuration', async () => {
  const instance = await startDeployedInstance()
  onTestFinished(() => instance.close())
  vi.stubEnv('SERVICEKIT_CLIENT_ID', deployed.clientId)
  vi.stubEnv('SERVICEKIT_CLIENT_SECRET', deployed.clientSecret)
  await writeApp()
  const { baseUrl } = instance
  const { projectKey } = deployed
  const first = await init(['--url', baseUrl, '--key', projectKey, '--example'])
  expect(first.code, first.stdout + first.stderr).toBe(0)
  const config = `baseUrl: '${baseUrl}',\n  projectKey: '${projectKey}',\n  preset: 'deployed',`
  expect(await read('servicekit.config.ts')).toContain(config)
  expect(await read('src/ServicekitExample.tsx')).toContain("keyHeader: 'x-blocks-key'")
  expect(await read('src/gateway/category.ts')).toContain('getCategorys')

  for (const name of ['ID', 'SECRET']) vi.stubEnv(`SERVICEKIT_CLIENT_${name}`, '')
  // The example uses messages of the other project.
  expect((await init(service())).stderr).toContain('The type check failed')
  expect(await read('servicekit.config.ts')).toContain("preset: 'interface'")
  expect(await read('src/ServicekitExample.tsx')).not.toContain('keyHeader')
  const unknown = await init(['--url', baseUrl, '--key', 'P-unknown'])
  expect(unknown.code).toBe(4)
  expect(unknown.stderr).toContain('preset')
})

it('sets up an application with an example, and changes nothing the second time', async () => {
  await writeApp()
  const first = await init([...service(), '--example'])
  expect(first.code, first.stdout + first.stderr).toBe(0)
  expect(first.stdout).toContain(': Vite + React, TypeScript, npm, no Git\n')
  expect(first.stdout).toContain('+export default { plugins: [uilm()] }\n')
  expect(first.stdout).toContain('The type check passed (tsc --noEmit).\n')
  expect(await read('servicekit.config.ts')).toContain(`baseUrl: '${project.platform.baseUrl}'`)
  expect(await read('src/servicekit-env.d.ts')).toBe(
    [
      '// eslint-disable-next-line @typescript-eslint/triple-slash-reference',
      '/// <reference path="../.servicekit/types/index.d.ts" />',
      '',
    ].join('\n'),
  )
  expect(await read('.gitignore')).toBe('.servicekit\n')
  expect(JSON.parse(await read('package.json')).scripts).toEqual({
    prepare: 'servicekit pull --frozen || exit 0',
  })
  expect(await read('src/App.tsx')).toContain('<ServicekitExample />')
  expect(await read('src/ServicekitExample.tsx')).toMatch(
    /PRODUCTS_HEADING \} from '~uilm\/catalog'[^]*listProducts\(gateway, \{ select: \['Name'\] \}\)/,
  )

  const before = await snapshot()
  const second = await init([...service(), '--example'])
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Nothing to change.')])
  expect(await snapshot()).toEqual(before)
}, 120_000)

it('changes the service of an application that is set up, also in the example', async () => {
  await writeApp()
  // As an application that was set up with another service, or with the sample.
  const text = `export default {\n  baseUrl: 'http://127.0.0.1:1',\n  projectKey: '${service()[3]}',\n}\n`
  const example = "const gateway = createGateway({\n  baseUrl: 'http://127.0.0.1:1',\n})\n"
  await write({ 'servicekit.config.js': text, 'src/servicekit-example.js': example })
  await rm(join(project.root, 'tsconfig.json'))
  const before = await snapshot()
  expect(await init(['--url', 'http://127.0.0.1:2'])).toMatchObject({ code: 4 })
  expect(await snapshot()).toEqual(before)

  const changed = await init(service())
  expect(changed.code, changed.stdout + changed.stderr).toBe(0)
  expect(changed.stdout).toContain(`+  baseUrl: '${project.platform.baseUrl}',\n`)
  expect(await read('servicekit.config.js')).toBe(text.replace('http://127.0.0.1:1', service()[1]!))
  expect(await read('src/servicekit-example.js')).toBe(
    example.replace('http://127.0.0.1:1', service()[1]!),
  )
  const second = await init(service())
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Nothing to change.')])
}, 120_000)

it('names the lines for a configuration whose service is not a string', async () => {
  await writeApp({ 'servicekit.config.js': 'export default { baseUrl: process.env.X }\n' })
  const { code, stderr } = await init(service())
  expect(code).toBe(2)
  expect(stderr).toContain('Cannot change servicekit.config.js: its baseUrl is not a string')
  expect(stderr).toContain(`Set baseUrl: "${project.platform.baseUrl}", projectKey: "`)
})

it('refuses a configuration that it does not understand, and prints the lines to add', async () => {
  const config = 'export default mergeConfig(base, {})\n'
  await writeApp({ 'vite.config.js': config })
  await rm(join(project.root, 'tsconfig.json'))
  const { code, stdout } = await init(service())
  expect(code).toBe(1)
  expect(stdout).toContain(
    "vite.config.js: its default export is not an object that can be edited. Add by hand:\n\n    import { uilm } from '@servicekit/unplugin/vite'\n",
  )
  expect(await read('vite.config.js')).toBe(config)
}, 60_000)

it('writes nothing beside a TypeScript that cannot read the declarations', async () => {
  await writeApp()
  await rm(join(project.root, 'node_modules/typescript'))
  await write({ 'node_modules/typescript/package.json': '{"version": "4.9.5"}' })
  const before = await snapshot()
  const { code, stderr } = await init(service())
  expect([code, stderr]).toEqual([2, expect.stringContaining('TypeScript 4.9.5 is not supported')])
  expect(await snapshot()).toEqual(before)
})

it('writes nothing if the service cannot be reached', async () => {
  await writeApp()
  const before = await snapshot()
  const { code, stderr } = await init(['--url', 'http://127.0.0.1:1', '--key', 'P1'])
  expect([code, stderr]).toEqual([4, expect.stringContaining('ECONNREFUSED')])
  expect(await snapshot()).toEqual(before)
}, 60_000)

it('writes nothing if the project key is refused', async () => {
  await writeApp()
  const before = await snapshot()
  const { code, stderr } = await init(['--url', project.platform.baseUrl, '--key', 'P-unknown'])
  expect([code, stderr]).toEqual([4, expect.stringContaining('Cannot list the languages')])
  expect(await snapshot()).toEqual(before)
})

it('undoes its edits if the pull fails', async () => {
  await writeApp()
  await mkdir(join(project.root, 'uilm'), { recursive: true })
  await writeFile(join(project.root, 'uilm/en-US'), 'a file where a folder belongs')
  const before = await snapshot()
  const { code, stderr } = await init(service())
  expect(code).toBe(4)
  expect(stderr).toContain('The changes to your files were undone.\n"servicekit pull" failed')
  expect(await snapshot()).toEqual(before)
}, 60_000)

it('changes nothing if the user declines', async () => {
  await writeApp()
  const before = await snapshot()
  const { code, stdout } = await init(service(), { confirm: async () => false })
  expect([code, stdout]).toEqual([1, expect.stringContaining('Nothing was changed.\n')])
  expect(await snapshot()).toEqual(before)
})

it('prompts for the service and extends an existing prepare script', async () => {
  await writeApp()
  await rm(join(project.root, 'tsconfig.json'))
  const manifest = JSON.parse(await read('package.json'))
  await write({ 'package.json': JSON.stringify({ ...manifest, scripts: { prepare: 'husky' } }) })
  const questions: string[] = []
  const answers: Record<string, string> = {
    'URL of the service': project.platform.baseUrl,
    'Project key': project.platform.projectKeys[0]!,
  }
  const { code } = await init([], {
    select: async (question) => {
      questions.push(question)
      return 'service'
    },
    text: async (question) => {
      questions.push(question)
      return answers[question]!
    },
    confirm: async (question) => {
      questions.push(question)
      return question === 'Make these changes?'
    },
  })
  expect(code).toBe(0)
  expect(questions).toEqual([
    'Where do the translations come from?',
    'URL of the service',
    'Project key',
    'Show a message and a list on the first page?',
    'Make these changes?',
  ])
  expect(JSON.parse(await read('package.json')).scripts).toEqual({
    prepare: 'husky && (servicekit pull --frozen || exit 0)',
  })
}, 60_000)

it('prompts for the application in the root of a monorepo', async () => {
  await write({
    'package.json': '{"private": true, "workspaces": ["apps/*", "packages/*"]}',
    'apps/web/package.json': '{"dependencies": {"vite": "*"}}',
    'apps/docs/package.json': '{"dependencies": {"astro": "*"}}',
    'packages/lib/package.json': '{}',
  })
  const { code, stderr } = await init()
  expect(code).toBe(2)
  expect(stderr).toContain('This is the root of a monorepo\n')
  expect(stderr).toContain('applications: apps/docs, apps/web\nAdd --root DIR, for example')
  const offered: unknown[] = []
  const stopped = await init(service(), {
    select: async (_, options) => {
      offered.push(...options.map(({ value }) => value))
      return 'apps/web'
    },
    confirm: async () => false,
  })
  expect(offered).toEqual(['apps/docs', 'apps/web'])
  expect(stopped.stdout).toContain(`${join(project.root, 'apps/web')}: Vite, JavaScript`)
})

it.runIf(isDeep)(
  'pulls after each installation by Yarn 4, which does not run prepare',
  async () => {
    await writeApp({ '.yarnrc.yml': 'nodeLinker: node-modules\n', 'yarn.lock': '' })
    await rm(join(project.root, 'package-lock.json'))
    expect(await init(service())).toMatchObject({ code: 0 })
    const { scripts } = JSON.parse(await read('package.json'))
    expect(scripts).toEqual({ postinstall: 'servicekit pull --frozen' })
  },
)

it('compiles the messages of a CommonJS program, which prints the example', async () => {
  await writeApp()
  await rm(join(project.root, 'tsconfig.json'))
  await rm(join(project.root, 'src'), { recursive: true })
  await write({
    'package.json': '{"type": "commonjs", "devDependencies": {"servicekit": "*"}}',
    'index.js': "console.log('first')\n",
  })
  const { code, stdout } = await init([...service(), '--example'])
  expect(code, stdout).toBe(0)
  expect(stdout).toContain(': program without a bundler, JavaScript, npm, no Git\n')
  expect(JSON.parse(await read('package.json')).scripts).toEqual({
    prepare: 'servicekit pull --frozen && servicekit compile --out messages --sync || exit 0',
  })
  const printed = await promisify(execFile)(process.execPath, [join(project.root, 'index.js')])
  expect(printed.stdout).toMatch(/^Our ceramics\nfirst\n[^]*Harbour Mug\n/)
}, 60_000)

it('writes the messages of a TypeScript program beside its sources', async () => {
  await writeApp({ 'src/index.ts': 'export const port = 80\n' })
  await write({ 'package.json': '{"devDependencies": {"servicekit": "*", "typescript": "*"}}' })
  expect(await init([...service(), '--example'])).toMatchObject({ code: 0 })
  expect(await read('src/index.ts')).toBe(
    "import './servicekit-example.js'\n\nexport const port = 80\n",
  )
  expect(await read('src/servicekit-example.ts')).toContain("from '../messages/catalog.cjs'\n")
}, 60_000)

it('shows the example on a page without a framework', async () => {
  await writeApp({ 'src/main.ts': "document.body.append('text')\n" })
  await write({
    'package.json':
      '{"type": "module", "devDependencies": {"vite": "*", "typescript": "*", "servicekit": "*", "@servicekit/unplugin": "*"}}',
  })
  const { code, stdout } = await init([...service(), '--example'])
  expect(code, stdout).toBe(0)
  expect(await read('src/main.ts')).toMatch(/^import '\.\/servicekit-example'\n/)
  expect(await read('src/servicekit-example.ts')).toContain(
    "section.append(element('h2', PRODUCTS_HEADING()))\n",
  )
}, 60_000)

it('names the file that is missing for the example', async () => {
  await writeApp()
  await rm(join(project.root, 'tsconfig.json'))
  await rm(join(project.root, 'src'), { recursive: true })
  await write({ 'package.json': '{"devDependencies": {"servicekit": "*"}}' })
  const { code, stdout } = await init([...service(), '--example'])
  expect(code).toBe(1)
  expect(stdout).toContain('src/index.ts: none of the usual first files exists. Add by hand:\n')
}, 60_000)

it('uses the configuration above the application', async () => {
  await write({
    'package.json': '{"private": true, "workspaces": ["apps/*"]}',
    'servicekit.config.json': '{}',
    'apps/web/package.json': '{"dependencies": {"vite": "*"}}',
    'apps/web/tsconfig.json': '{}',
    'apps/web/src/main.ts': '',
  })
  const { code, stdout } = await init(['--root', join(project.root, 'apps/web')], {
    confirm: async () => false,
  })
  expect(code).toBe(1)
  expect(stdout).toContain('+/// <reference path="../../../.servicekit/types/index.d.ts" />\n')
  expect(stdout).not.toMatch(/servicekit\.config|gitignore/)
})

it.each([
  [['--sample', '--url', 'http://x'], 'Cannot use --sample together with --url or --key'],
  [['--url', 'http://x'], '--key is required'],
  [['--url', 'localhost:1', '--key', 'P'], '--url must be an http or https URL'],
])('rejects %s', async (args, message) => {
  await write({ 'package.json': '{"dependencies": {"vite": "*"}}' })
  const { code, stderr } = await init(args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

it('explains that a folder has no package.json', async () => {
  const { code, stderr } = await init()
  expect([code, stderr]).toEqual([2, expect.stringContaining('has no package.json')])
})
