import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkNode } from '../src/doctor/check-node.ts'
import { useProjectFolder } from './project-folder.ts'
import { run } from './run.ts'

const execute = promisify(execFile)
const project = useProjectFolder()
const { write } = project

const tsconfig = (include: readonly string[]): string =>
  JSON.stringify({ compilerOptions: { types: [], noEmit: true }, include })

/** Folder with a pulled snapshot and declarations, which every application copies. */
let pulled: string

beforeAll(async () => {
  pulled = await mkdtemp(join(tmpdir(), 'servicekit-pulled-'))
  const service = [
    '--base-url',
    project.platform.baseUrl,
    '--project-key',
    project.platform.projectKeys[0]!,
  ]
  const parts = ['--languages', 'en-US,de-DE', '--modules', 'cart,catalog']
  const { code, stderr } = await run(['pull', '--root', pulled, ...service, ...parts])
  expect(code, stderr).toBe(0)
  return () => rm(pulled, { recursive: true, force: true })
})

/** Writes an application that is set up: doctor finds nothing. */
async function writeApp({
  baseUrl = project.platform.baseUrl,
  projectKey = project.platform.projectKeys[0]!,
} = {}): Promise<void> {
  await cp(pulled, project.root, { recursive: true })
  const localization = { languages: ['en-US', 'de-DE'], modules: ['cart', 'catalog'] }
  await write({
    'package.json': '{"type": "module", "devDependencies": {}}',
    'servicekit.config.json': JSON.stringify({ baseUrl, projectKey, localization }),
    '.gitignore': 'node_modules\n.servicekit\n',
  })
  await execute('git', ['init', '-q'], { cwd: project.root })
}

/**
 * Adds TypeScript, which the other tests do without: doctor starts it twice. TypeScript 7 takes a
 * fraction of the time of TypeScript 6.
 */
async function addTypeScript(version: 6 | 7 = 7): Promise<void> {
  await write({
    'tsconfig.json': tsconfig(['src']),
    'src/main.ts': 'export {}\n',
    'src/servicekit-env.d.ts': '/// <reference path="../.servicekit/types/index.d.ts" />\n',
  })
  const name = version === 7 ? 'typescript-7' : 'typescript'
  const typescript = await realpath(join(import.meta.dirname, '../../../node_modules', name))
  await mkdir(join(project.root, 'node_modules'))
  await symlink(typescript, join(project.root, 'node_modules/typescript'))
}

interface Finding {
  readonly code: string
  readonly problem: string
  readonly where: string
  readonly fix: string
}

async function doctor(...args: string[]): Promise<readonly Finding[]> {
  const { code, stdout, stderr } = await run(['doctor', '--root', project.root, '--json', ...args])
  expect(stderr).toBe('')
  const { findings } = JSON.parse(stdout)
  expect(code).toBe(findings.length === 0 ? 0 : 1)
  return findings
}

async function installPackage(name: string, manifest: object): Promise<void> {
  await write({ [`node_modules/${name}/package.json`]: JSON.stringify(manifest) })
}

it('finds nothing in an application that is set up', async () => {
  await writeApp()
  await addTypeScript(6)
  expect((await run(['doctor', '--root', project.root])).stdout).toBe(
    `Service ${project.platform.baseUrl}: preset interface, keyHeader x-service-key, queryNaming as-given\nEverything is set up.\n`,
  )
})

it('prints what is wrong, where, and how to fix it', async () => {
  await write({ 'package.json': '{}' })
  const { code, stdout } = await run(['doctor', '--root', project.root])
  expect(code).toBe(1)
  expect(stdout).toContain(
    `There is no servicekit.config\n  where: ${project.root}\n  fix: Run "servicekit init".\n`,
  )
  expect(stdout).toContain('The translations were never fetched\n')
  expect(stdout).toMatch(/\n2 findings\n$/)
})

describe('Node', () => {
  it.each(['18.20.8', '20.18.3', '21.7.0', '22.11.0'])('%s is too old', (version) => {
    expect(checkNode(version, '/usr/bin/node')).toEqual([
      {
        code: 'NODE_VERSION',
        problem: `Node ${version} is not supported`,
        where: '/usr/bin/node',
        fix: 'Use Node 20.19 or later, or 22.12 or later.',
      },
    ])
  })

  it.each(['20.19.0', '22.12.0', '24.0.0'])('%s is supported', (version) => {
    expect(checkNode(version, '/usr/bin/node')).toEqual([])
  })

  const bin = join(import.meta.dirname, '../bin/servicekit.js')
  it.each(['18.20.8', '20.18.3', '21.7.0', '22.11.0'])(
    '%s prints the required versions',
    async (version) => {
      await write({
        'old.cjs': `Object.defineProperty(process.versions, 'node', { value: '${version}' })\n`,
      })
      const args = ['--require', join(project.root, 'old.cjs'), bin, 'doctor']
      await expect(execute(process.execPath, args)).rejects.toMatchObject({
        code: 2,
        stderr: `Node 20.19 or later, or 22.12 or later, is needed (this is ${version}).\n`,
      })
    },
  )

  it('18 can parse the file that prints it', async () => {
    expect(await readFile(bin, 'utf8')).not.toMatch(/\bawait\b|\?\?|\?\.|^import /m)
  })
})

describe('packages', () => {
  it('that are declared but not installed are found', async () => {
    await writeApp()
    await write({ 'package.json': '{"devDependencies": {"@servicekit/extra": "*"}}' })
    expect(await doctor()).toEqual([
      {
        code: 'PACKAGE_MISSING',
        problem: '@servicekit/extra is in package.json, but not installed',
        where: join(project.root, 'package.json'),
        fix: 'Run "npm install".',
      },
    ])
  })

  it('of different versions are found, also below others', async () => {
    await writeApp()
    await write({
      'package.json': '{"devDependencies": {"servicekit": "*", "@servicekit/unplugin": "*"}}',
    })
    const catalog = '@servicekit/catalog'
    await installPackage('servicekit', { version: '1.0.0', dependencies: { [catalog]: '*' } })
    await installPackage('@servicekit/unplugin', { version: '1.0.0' })
    await installPackage(catalog, { version: '1.1.0' })
    expect(await doctor()).toEqual([
      expect.objectContaining({
        code: 'PACKAGE_VERSIONS',
        problem:
          'The packages of servicekit have different versions: @servicekit/catalog 1.1.0, @servicekit/unplugin 1.0.0, servicekit 1.0.0',
      }),
    ])
  })

  it('of TypeScript that cannot read the declarations are found', async () => {
    await writeApp()
    await installPackage('typescript', { version: '4.9.5' })
    expect(await doctor()).toEqual([
      {
        code: 'TYPESCRIPT_VERSION',
        problem: 'TypeScript 4.9.5 is not supported',
        where: join(project.root, 'node_modules/typescript'),
        fix: 'Install TypeScript 5.0 or later.',
      },
    ])
    await installPackage('typescript', { version: '5.0.2' })
    expect(await doctor()).toEqual([])
  })

  it('that load another React are found', async () => {
    await writeApp()
    await write({ 'package.json': '{"dependencies": {"react": "*", "charts": "*", "table": "*"}}' })
    await installPackage('react', { version: '19.2.0' })
    await installPackage('charts', { version: '1.0.0' })
    await installPackage('table', { version: '1.0.0' })
    await installPackage('charts/node_modules/react', { version: '18.3.1' })
    expect(await doctor()).toEqual([
      {
        code: 'REACT_DUPLICATE',
        problem: 'charts loads its own React 18.3.1, the application loads 19.2.0',
        where: join(project.root, 'node_modules/charts/node_modules/react'),
        fix: 'Install one version for both, or add "react" to resolve.dedupe of the bundler.',
      },
    ])
  })
})

describe('the service', () => {
  it('that cannot be reached is found', async () => {
    await writeApp({ baseUrl: 'http://127.0.0.1:1' })
    expect(await doctor()).toEqual([
      {
        code: 'SERVICE_UNREACHABLE',
        problem: 'Cannot list the languages: the connection failed (ECONNREFUSED)',
        where: 'http://127.0.0.1:1',
        fix: 'Start the local platform with `servicekit dev`, or correct baseUrl in servicekit.config.',
      },
    ])
  })

  it('that refuses the project key is found', async () => {
    await writeApp({ projectKey: 'P-unknown' })
    expect(await doctor()).toEqual([
      expect.objectContaining({
        code: 'SERVICE_REFUSED',
        problem: expect.stringMatching(/^The service refused project key P-unknown \(4\d\d\)$/),
        fix: expect.stringMatching(/^Correct projectKey in .*set keyHeader to the header/),
      }),
    ])
  })

  it('that speaks http on an https URL is found', async () => {
    const server = createServer((_, response) => void response.end())
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await writeApp({ baseUrl: `https://127.0.0.1:${port}` })
    expect(await doctor()).toEqual([
      {
        code: 'SERVICE_PROTOCOL',
        problem: 'The URL begins with https://, but the port speaks http',
        where: `https://127.0.0.1:${port}`,
        fix: `Use http://127.0.0.1:${port} as baseUrl in servicekit.config, or SERVICEKIT_URL.`,
      },
    ])
  })

  it('that speaks https on an http URL is found', async () => {
    // A TLS server responds to a plain request with an alert.
    const server = createTcpServer((socket) => {
      socket.once('data', () => void socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])))
      socket.on('error', () => undefined)
    })
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await writeApp({ baseUrl: `http://127.0.0.1:${port}` })
    expect(await doctor()).toMatchObject([
      {
        code: 'SERVICE_PROTOCOL',
        problem: 'The URL begins with http://, but the port speaks https',
      },
    ])
  })
})

describe('the snapshot', () => {
  it('that was never pulled is found', async () => {
    await writeApp()
    await rm(join(project.root, 'uilm.lock.json'))
    expect(await doctor()).toMatchObject([
      { code: 'SNAPSHOT_MISSING', where: join(project.root, 'uilm.lock.json') },
    ])
  })

  it('that was edited is found', async () => {
    await writeApp()
    await write({ 'uilm/en-US/cart.json': '{}\n' })
    expect(await doctor()).toMatchObject([
      { code: 'SNAPSHOT_CHANGED', where: join(project.root, 'uilm') },
    ])
  })

  it('that lacks a change of the service is found', async () => {
    await writeApp()
    const put = (value: string) =>
      fetch(
        `${project.platform.baseUrl}/_platform/projects/${project.platform.projectKeys[0]}/texts`,
        {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify([{ language: 'en-US', module: 'cart', key: 'CART_CLEAR', value }]),
        },
      )
    onTestFinished(async () => void (await put('Empty the cart')))
    expect((await put('Remove everything')).status).toBe(200)
    expect(await doctor()).toMatchObject([
      {
        code: 'SNAPSHOT_STALE',
        problem: 'The service has 1 change that the committed translations lack',
        fix: 'Run "servicekit pull" and commit the files.',
      },
    ])
  })
})

describe('declarations', () => {
  it('that do not exist are found', async () => {
    await writeApp()
    await addTypeScript()
    await rm(join(project.root, '.servicekit'), { recursive: true })
    expect(await doctor()).toMatchObject([
      { code: 'TYPES_MISSING', where: join(project.root, '.servicekit/types/index.d.ts') },
    ])
  })

  it('that no tsconfig reaches are found, also with references', async () => {
    await writeApp()
    await addTypeScript()
    await write({
      'tsconfig.json': '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
      'tsconfig.app.json': tsconfig(['src']),
    })
    expect(await doctor()).toEqual([])
    await rm(join(project.root, 'src/servicekit-env.d.ts'))
    expect(await doctor()).toMatchObject([
      {
        code: 'TYPES_UNREACHED',
        where: `tsconfig.json, ${join(project.root, 'tsconfig.app.json')}`,
        fix: expect.stringContaining('/// <reference path="../.servicekit/types/index.d.ts" />'),
      },
    ])
    await write({ 'tsconfig.app.json': tsconfig(['src', '.servicekit/types']) })
    expect(await doctor()).toEqual([])
  })
})

describe('the configuration', () => {
  it('that is invalid is found', async () => {
    await writeApp()
    await write({ 'servicekit.config.ts': 'export default { langauges: [] }' })
    expect(await doctor()).toMatchObject([
      {
        code: 'CONFIG_INVALID',
        problem: expect.stringContaining('Unknown config option "langauges"'),
      },
    ])
  })

  it('below the application is found', async () => {
    await writeApp()
    await rm(join(project.root, 'servicekit.config.json'))
    await rm(join(project.root, 'uilm.lock.json'), { force: true })
    await write({ 'src/servicekit.config.json': '{}' })
    expect(await doctor()).toEqual(
      expect.arrayContaining([
        {
          code: 'CONFIG_MISSING',
          problem: 'servicekit.config is below the application; it is searched upwards only',
          where: join(project.root, 'src/servicekit.config.json'),
          fix: `Move it to ${project.root}, or set --root to its folder.`,
        },
      ]),
    )
  })

  it('below another is found', async () => {
    await writeApp()
    await write({ 'apps/web/servicekit.config.ts': 'export default {}' })
    expect(await doctor()).toMatchObject([
      {
        code: 'CONFIG_DUPLICATE',
        where: `${join(project.root, 'apps/web/servicekit.config.ts')} and ${join(project.root, 'servicekit.config.json')}`,
      },
    ])
  })

  it('above another is found', async () => {
    await writeApp()
    await write({
      'apps/web/package.json': '{}',
      'apps/web/servicekit.config.json': '{}',
    })
    const { stdout } = await run(['doctor', '--root', join(project.root, 'apps/web'), '--json'])
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({
        code: 'CONFIG_DUPLICATE',
        where: `${join(project.root, 'servicekit.config.json')} and ${join(project.root, 'apps/web/servicekit.config.json')}`,
      }),
    )
  })
})

describe('Git', () => {
  it('that ignores committed files is found', async () => {
    await writeApp()
    await write({ '.gitignore': '.servicekit\nuilm\n*.lock.json\n' })
    expect((await doctor()).map(({ code, problem }) => [code, problem])).toEqual([
      ['GIT_IGNORED', 'Git ignores uilm.lock.json, which a clean clone needs'],
      ['GIT_IGNORED', 'Git ignores uilm, which a clean clone needs'],
    ])
  })

  it('that does not ignore generated files is found', async () => {
    await writeApp()
    await write({ '.gitignore': 'node_modules\n' })
    expect(await doctor()).toMatchObject([
      {
        code: 'GIT_TRACKED',
        problem: 'Git does not ignore .servicekit, which is generated',
        fix: 'Add the line ".servicekit" to .gitignore.',
      },
    ])
  })

  it('with committed files that are generated is found', async () => {
    await writeApp()
    await execute('git', ['add', '-f', '.servicekit'], { cwd: project.root })
    expect(await doctor()).toMatchObject([
      {
        code: 'GIT_TRACKED',
        problem: 'Files in .servicekit are committed, although they are generated',
        fix: 'Run "git rm -r --cached .servicekit" and commit.',
      },
    ])
  })
})
