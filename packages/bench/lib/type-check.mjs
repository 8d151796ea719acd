import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const require = createRequire(import.meta.url)
const run = promisify(execFile)

/**
 * Statistics of the type checker for a program.
 *
 * @typedef {object} TypeCheckResult
 * @property {number} instantiations
 * @property {number} types
 * @property {number} checkSeconds
 */

/**
 * Checks one file and all its imports with `tsc --extendedDiagnostics`.
 *
 * @param {string} file
 * @returns {Promise<TypeCheckResult>}
 * @throws {Error} if the program has type errors
 */
export async function measureTypeCheck(file) {
  const tsconfig = join(dirname(file), 'tsconfig.json')
  const preset = createRequire(require.resolve('@graphql-codegen/client-preset'))
  const documentNode = dirname(preset.resolve('@graphql-typed-document-node/core/package.json'))
  writeFileSync(
    tsconfig,
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2023', 'dom'],
        module: 'esnext',
        moduleResolution: 'bundler',
        types: [],
        skipLibCheck: true,
        // Imports of the peers' output and of users; the folder has no node_modules.
        paths: {
          '@graphql-typed-document-node/core': [join(documentNode, 'typings/index.d.ts')],
          i18next: [join(dirname(require.resolve('i18next/package.json')), 'index.d.ts')],
        },
      },
      files: [file],
    }),
  )
  const args = [require.resolve('typescript/bin/tsc'), '-p', tsconfig, '--extendedDiagnostics']
  const { stdout } = await run(process.execPath, args).catch((error) => {
    throw new Error(`${file} has type errors:\n${String(error.stdout).slice(0, 2000)}`)
  })
  /** @param {string} name */
  const read = (name) => {
    const match = new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(stdout)
    if (!match) throw new Error(`tsc did not print ${name}:\n${stdout}`)
    return Number(match[1])
  }
  return {
    instantiations: read('Instantiations'),
    types: read('Types'),
    checkSeconds: read('Check time'),
  }
}
