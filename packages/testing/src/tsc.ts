import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const installed = (name: string): string => dirname(require.resolve(`${name}/package.json`))
/** Versions that only slow tests install. */
const older = (name: string): string =>
  fileURLToPath(new URL(`../projects/typescript/node_modules/${name}`, import.meta.url))

/** Folders of compilers, from the oldest version that is supported to the newest. */
export const compilerFolders = {
  'typescript-5.0': older('typescript-5.0'),
  'typescript-5.3': older('typescript-5.3'),
  'typescript-5.5': older('typescript-5.5'),
  'typescript-5.6': older('typescript-5.6'),
  'typescript-5.9': installed('typescript-5.9'),
  typescript: installed('typescript'),
  'typescript-7': installed('typescript-7'),
} as const

export type Compiler = keyof typeof compilerFolders
export const compilers: readonly Compiler[] = Object.keys(compilerFolders) as Compiler[]
const typeRoots = [dirname(dirname(require.resolve('@types/node/package.json')))]

export interface TscRun {
  /** Error lines: `file.ts(1,2): error TS1234: …`. */
  readonly errors: readonly string[]
  readonly instantiations: number
  readonly types: number
  readonly checkMs: number
}

/** Strictest compiler options, which generated code must satisfy. */
const strictest = {
  target: 'es2022',
  lib: ['es2023', 'dom'],
  types: [] as readonly string[],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  skipLibCheck: true,
  noEmit: true,
}

export const bundler = { module: 'esnext', moduleResolution: 'bundler' } as const
/** Node without browser types. */
export const nodeOnly = { lib: ['es2023'], types: ['node'], typeRoots } as const

/** Options that older compilers do not support. */
const unknownTo: Readonly<Partial<Record<Compiler, readonly string[]>>> = {
  'typescript-5.0': ['erasableSyntaxOnly', 'isolatedDeclarations'],
  'typescript-5.3': ['erasableSyntaxOnly', 'isolatedDeclarations'],
  'typescript-5.5': ['erasableSyntaxOnly'],
  'typescript-5.6': ['erasableSyntaxOnly'],
}

/**
 * Runs a compiler on files of a folder. TypeScript 7 takes a fraction of the time of the others,
 * which compile the same code in compile-versions.slow.test.ts.
 */
export function runTsc(
  folder: string,
  files: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
  compiler: Compiler = 'typescript-7',
): TscRun {
  const config = join(folder, 'tsconfig.json')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = Object.fromEntries(
    Object.entries({ ...strictest, ...options }).filter(
      ([name]) => unknownTo[compiler]?.includes(name) !== true,
    ),
  )
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions,
      [files.some((file) => file.includes('*')) ? 'include' : 'files']: files,
    }),
  )
  const tsc = join(compilerFolders[compiler], 'bin/tsc')
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, '-p', config, '--extendedDiagnostics'],
    { encoding: 'utf8', cwd: folder },
  )
  // Fail if the compiler did not run: it would report no errors.
  if (!/^Files:\s+\d+/m.test(stdout)) throw new Error(`${compiler}: ${stdout}${stderr}`)
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1])
  return {
    errors: stdout.split('\n').filter((line) => line.includes('error TS')),
    instantiations: number(/^Instantiations:\s+(\d+)/m),
    types: number(/^Types:\s+(\d+)/m),
    checkMs: number(/^Check time:\s+([\d.]+)s/m) * 1000,
  }
}

/**
 * Enables type-checking of generated files, which is disabled for applications. Does not follow
 * links, such as node_modules.
 */
export function checkGenerated(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name)
    if (entry.isDirectory()) checkGenerated(file)
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
    writeFileSync(file, readFileSync(file, 'utf8').replace('// @ts-nocheck\n', ''))
  }
}
