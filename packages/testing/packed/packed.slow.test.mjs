import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { problemAffectsResolutionKind } from '@arethetypeswrong/core/problems'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages, startRegistry, tarballOf } from '../src/local-registry.mjs'
import { entryPoints, readPackages } from '../../workspace/lib/packages.mjs'
import { readJson, root, toolScript } from '../../workspace/lib/root.mjs'
import { run, runNode } from '../../workspace/lib/run.mjs'
import { isPermissive, listInstalled } from '../../workspace/lib/supply-chain.mjs'
import { findRuntime } from '../src/runtimes.mjs'

const packages = readPackages().filter(({ isPublic }) => isPublic)
const folder = mkdtempSync(join(tmpdir(), 'servicekit-packed-'))
const consumer = join(folder, 'consumer')

/** @param {import('../../workspace/lib/run.mjs').RunResult} result */
const expectSuccess = ({ code, output }) => expect(code, output).toBe(0)

/** @param {string} name */
const installed = (name) => join(consumer, 'node_modules', name)

/** Returns everything that a user can import, as `@servicekit/client/data`. */
const entries = () =>
  packages.flatMap(({ name }) =>
    entryPoints(readJson(join(installed(name), 'package.json'))).map((entry) =>
      entry.replace('.', name),
    ),
  )

/** Returns the optional peers of all packages, whose absence an import may report. */
const optionalPeers = () =>
  packages.flatMap(({ manifest }) => Object.keys(manifest.peerDependenciesMeta ?? {}))

/** @param {import('../../workspace/lib/packages.mjs').Package} item */
const tarball = (item) => tarballOf(folder, item)

// npm's environment variables for scripts would bind the inner npm to this repository.
const kept = /^npm_config_(cache|registry|userconfig|https?_proxy|noproxy|cafile)$/i
const withoutNpm = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^npm_/i.test(name) && !kept.test(name))
    // The NODE_PATH of pnpm would find the packages of this repository.
    .concat('NODE_PATH')
    .map((name) => [name, undefined]),
)

beforeAll(async () => {
  await packPackages(folder)
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module", "private": true }\n')
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline']
  const options = { cwd: consumer, env: withoutNpm }
  expectSuccess(await run('npm', [...install, ...packages.map(tarball)], options))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(packages.map((item) => [item.name, item]))('%s', (_, item) => {
  it('passes publint', async () => {
    const publint = toolScript('publint')
    expectSuccess(await runNode([publint, 'run', tarball(item), '--strict']))
  })

  it('has types that are those of its code, for Node and for bundlers', async () => {
    const data = createPackageFromTarballData(new Uint8Array(readFileSync(tarball(item))))
    const analysis = await checkPackage(data, { excludeEntrypoints: [/\.svelte$/] })
    if (!analysis.types) throw new Error('it has no types')
    // The packages are ES modules only, so problems of `require` and of Node 10
    // resolution are ignored.
    const problems = analysis.problems.filter(
      (problem) =>
        problemAffectsResolutionKind(problem, 'node16-esm', analysis) ||
        problemAffectsResolutionKind(problem, 'bundler', analysis),
    )
    expect(problems).toEqual([])
  })
})

describe.each(['Node 20', 'Node 22', 'Node 24'])('on %s', (name) => {
  const node = findRuntime(/** @type {import('../src/runtimes.d.mts').RuntimeName} */ (name))

  it.skipIf(node === undefined)('imports every entry, and none is empty', async () => {
    writeFileSync(
      join(consumer, 'import-all.mjs'),
      `for (const entry of ${JSON.stringify(entries())}) {
  const peer = (error) => /Cannot find package '([^']+)'/.exec(error.message)?.[1]
  const names = Object.keys(
    await import(entry).catch((error) => {
      if (${JSON.stringify(optionalPeers())}.includes(peer(error))) return { error }
      throw error
    }),
  )
  if (names.length === 0) throw new Error(entry + ' exports nothing')
}
`,
    )
    expectSuccess(await run(node ?? '', ['import-all.mjs'], { cwd: consumer }))
  })
})

it('installs only packages with permissive licences, and none with an install script', () => {
  const all = listInstalled(consumer)
  expect(all.length).toBeGreaterThan(packages.length)
  expect(all.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
  expect(all.filter(({ licence }) => !isPermissive(licence))).toEqual([])
})

it('has types that resolve with nothing but what npm installed', () => {
  const main = join(consumer, 'consumer.ts')
  const lines = entries().map((entry, index) => `export * as entry${index} from '${entry}'\n`)
  writeFileSync(main, lines.join(''))
  const program = ts.createProgram([main], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    noEmit: true,
  })
  const problems = program
    .getSourceFiles()
    .filter(({ fileName }) => ownerOf(fileName) || fileName.endsWith('/consumer.ts'))
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .filter((diagnostic) => !missesOptionalPeer(diagnostic))
    .map(({ file, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n')
      return `${file?.fileName.split('/node_modules/').at(-1)}: ${text}`
    })
  expect(problems).toEqual([])
})

it('starts the command, which finds its sample project', async () => {
  const { bin } = readJson(join(installed('servicekit'), 'package.json'))
  const script = join(installed('servicekit'), bin.servicekit)
  const { code, output } = await runNode([script, '--help'], { cwd: consumer })
  expect(code, output).toBe(0)
  expect(output).toContain('servicekit')
  expect(readdirSync(join(installed('servicekit'), 'dist/sample'))).toContain('project.json')
  expect(readFileSync(script, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

describe('a web project with servicekit and @servicekit/unplugin', () => {
  const web = join(folder, 'web')
  /** @type {import('../src/local-registry.mjs').Registry | undefined} */
  let registry

  beforeAll(async () => {
    registry = await startRegistry(folder)
    mkdirSync(web)
    writeFileSync(join(web, 'package.json'), '{ "type": "module", "private": true }\n')
    writeFileSync(join(web, '.npmrc'), `registry=${registry.url}\n`)
    const install = ['install', '--save-dev', '--no-audit', '--no-fund', '--prefer-offline']
    const names = ['servicekit', '@servicekit/unplugin']
    expectSuccess(await run('npm', [...install, ...names], { cwd: web, env: withoutNpm }))
  })
  afterAll(() => registry?.close())

  const servicekit = (/** @type {string[]} */ ...args) =>
    runNode([join(web, 'node_modules/servicekit/bin/servicekit.js'), ...args], {
      cwd: web,
      env: withoutNpm,
    })

  it('installs at most 60 packages and 30 MB', () => {
    const files = readdirSync(join(web, 'node_modules'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    const installed = files.filter((file) =>
      /\/node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
    )
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    console.log(`${installed.length} packages, ${(bytes / 1e6).toFixed(1)} MB`)
    expect(installed.length).toBeLessThanOrEqual(60)
    expect(bytes).toBeLessThanOrEqual(30_000_000)
  })

  it('reports the package that a command lacks, and installs it with --yes', async () => {
    const version = packages[0]?.manifest.version
    const dev = await servicekit('dev')
    expect(dev.code, dev.output).toBe(6)
    expect(dev.output).toContain('This command requires the package @servicekit/platform\n')
    expect(dev.output).toContain(`Run "npm i -D @servicekit/platform@${version}", or add --yes`)

    // It runs after the installation, and finds no translations.
    const check = await servicekit('check', '--yes')
    expect(check.code, check.output).toBe(5)
    expect(check.output).toContain(`Running "npm i -D @servicekit/check@${version}"\n`)
    const { devDependencies } = readJson(join(web, 'package.json'))
    expect(devDependencies['@servicekit/check']).toContain(version)
  })
})

/** @param {string} fileName */
const ownerOf = (fileName) =>
  packages.find(({ name }) => fileName.replaceAll('\\', '/').includes(`/node_modules/${name}/`))

/**
 * Returns whether an entry for a bundler lacks its types because the bundler is an optional
 * peer that is not installed.
 * @param {ts.Diagnostic} diagnostic
 */
function missesOptionalPeer({ code, file, messageText }) {
  const cannotFindModule = 2307
  const owner = file && ownerOf(file.fileName)
  if (code !== cannotFindModule || !owner) return false
  const [, missing = ''] = /'((?:@[^/']+\/)?[^/']+)/.exec(String(messageText)) ?? []
  return owner.manifest.peerDependenciesMeta?.[missing]?.optional === true
}
