import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { entryPoints } from '../lib/packages.mjs'
import { readJson, root } from '../lib/root.mjs'

/**
 * @typedef {import('../lib/packages.mjs').Package} Package
 * @typedef {import('../lib/run.mjs').Runner} Runner
 */

/**
 * Installs tarballs with npm into an empty folder, as a user's project would.
 *
 * @param {string} folder
 * @param {readonly string[]} tarballs
 * @param {Runner} runner
 */
export function installConsumer(folder, tarballs, runner) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs]
  return runner.run('npm', args, { cwd: folder, env: withoutNpm() })
}

/**
 * What npm tells the scripts it runs would bind the inner npm to this repository.
 */
function withoutNpm() {
  const kept = /^npm_config_(cache|registry|userconfig|https?_proxy|noproxy|cafile)$/i
  const names = Object.keys(process.env).filter((name) => /^npm_/i.test(name) && !kept.test(name))
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

/**
 * What a user can import from an installed package, as `@servicekit/client/data`.
 *
 * @param {string} folder
 * @param {readonly Package[]} packages
 * @returns {string[]}
 */
export function installedEntries(folder, packages) {
  return packages.flatMap(({ name }) =>
    entryPoints(readJson(join(folder, 'node_modules', name, 'package.json'))).map((entry) =>
      entry.replace('.', name),
    ),
  )
}

const importScript = `for (const entry of process.argv.slice(2)) {
  try {
    const names = Object.keys(await import(entry))
    if (names.length === 0) throw new Error('it exports nothing')
  } catch (error) {
    process.exitCode = 1
    console.log("import '" + entry + "' failed: " + (error?.stack ?? error))
  }
}
`

/**
 * Imports every entry and says which of them cannot be, or export nothing.
 *
 * @param {string} folder
 * @param {readonly string[]} entries
 * @param {Runner['node']} node
 */
export function importEntries(folder, entries, node) {
  writeFileSync(join(folder, 'import-all.mjs'), importScript)
  return node(['import-all.mjs', ...entries], { cwd: folder })
}

/**
 * Type errors within the declarations of our installed packages, as a user sees
 * them who has only what npm installed: an import of a package that is not a
 * dependency, for instance.
 *
 * @param {string} folder
 * @param {readonly string[]} entries
 * @param {readonly { name: string }[]} packages
 * @returns {string[]}
 */
export function checkInstalledTypes(folder, entries, packages) {
  const main = join(folder, 'consumer.ts')
  const lines = entries.map((entry, index) => `export * as entry${index} from '${entry}'\n`)
  writeFileSync(main, lines.join(''))
  const program = ts.createProgram([main], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    strict: true,
    noEmit: true,
  })
  const owned = packages.map(({ name }) => `/node_modules/${name}/`)
  return program
    .getSourceFiles()
    .filter(({ fileName }) => {
      const path = fileName.replaceAll('\\', '/')
      return path.endsWith('/consumer.ts') || owned.some((part) => path.includes(part))
    })
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .filter((diagnostic) => !missesOptionalPeer(folder, diagnostic, packages))
    .map((diagnostic) => {
      const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
      return `${diagnostic.file?.fileName.split('/node_modules/').at(-1) ?? ''}: ${text}`
    })
}

/**
 * Whether it is only that a user without the bundler cannot import the entry for
 * that bundler: its types are those of an optional peer.
 *
 * @param {string} folder
 * @param {ts.Diagnostic} diagnostic
 * @param {readonly { name: string }[]} packages
 */
function missesOptionalPeer(folder, { code, file, messageText }, packages) {
  const cannotFindModule = 2307
  if (code !== cannotFindModule || !file) return false
  const path = file.fileName.replaceAll('\\', '/')
  const owner = packages.find(({ name }) => path.includes(`/node_modules/${name}/`))
  if (!owner) return false
  const { peerDependenciesMeta = {} } = readJson(
    join(folder, 'node_modules', owner.name, 'package.json'),
  )
  const [, missing = ''] = /'([^']+)'/.exec(String(messageText)) ?? []
  return peerDependenciesMeta[missing]?.optional === true
}
