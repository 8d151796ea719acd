import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { onTestFinished } from 'vitest'

const settings = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const
export type Resolution = keyof typeof settings

/** Returns the tsconfig of an application. */
export const tsconfig = (resolution: Resolution, more: object = {}) => ({
  compilerOptions: {
    ...settings[resolution],
    target: 'es2022',
    lib: ['es2023'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    ...more,
  },
  include: ['src'],
})

/** Writes an application around the declarations in `root/.servicekit`. */
export async function writeApplication(
  root: string,
  resolution: Resolution,
  sources: Record<string, string>,
  more?: object,
): Promise<void> {
  const files = {
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify(tsconfig(resolution, more)),
    'src/servicekit-env.d.ts': '/// <reference path="../.servicekit/types/index.d.ts" />\n',
    ...sources,
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}

/** Files of the standard library, which are the same for all applications. */
const library = new Map<string, ts.SourceFile | undefined>()

/**
 * Returns the diagnostics of an application and of all declarations in its folder, one per
 * line; empty if it compiles.
 */
export function diagnosticsOf(root: string, tsconfigFile = 'tsconfig.json'): string[] {
  const { config } = ts.readConfigFile(join(root, tsconfigFile), ts.sys.readFile) as {
    config: unknown
  }
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const libraryFolder = dirname(ts.getDefaultLibFilePath(options))
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, ...rest) => {
    if (dirname(name) !== libraryFolder) return host.getSourceFile(name, ...rest)
    const file = library.get(name) ?? host.getSourceFile(name, ...rest)
    library.set(name, file)
    return file
  }
  const program = ts.createProgram(fileNames, options, { ...host, getSourceFile })
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(root))
  const found = own.flatMap((file) => ts.getPreEmitDiagnostics(program, file))
  return [...errors, ...ts.sortAndDeduplicateDiagnostics(found)].map(
    ({ file, start, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0
      const name = file?.fileName.slice(root.length + 1) ?? ''
      return `${name}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    },
  )
}

const require = createRequire(import.meta.url)

/** Returns the figures of `tsc --extendedDiagnostics`, such as `Instantiations`. */
export async function figuresOf(root: string): Promise<Record<string, number>> {
  const tsc = require.resolve('typescript/lib/tsc.js')
  const child = spawn(process.execPath, [tsc, '-p', root, '--extendedDiagnostics'])
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(output)
  return Object.fromEntries(
    [...output.matchAll(/^([\w ]+):\s+([\d.]+)/gm)].map(([, name, figure]) => [
      name,
      Number(figure),
    ]),
  ) as Record<string, number>
}

/** Connection to tsserver, as used by editors. */
export interface Editor {
  readonly ask: (command: string, args: object) => Promise<unknown>
}

/** Starts tsserver like an editor. It ends with the test. */
export function startEditor(): Editor {
  const tsserver = require.resolve('typescript/lib/tsserver.js')
  const child = spawn(process.execPath, [tsserver, '--disableAutomaticTypingAcquisition'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const waiting = new Map<
    number,
    (message: { success: boolean; body: unknown; message: string }) => void
  >()
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const lines = output.split('\n')
    output = lines.pop() ?? ''
    for (const line of lines.filter((one) => one.startsWith('{'))) {
      const message = JSON.parse(line) as {
        request_seq: number
        success: boolean
        body: unknown
        message: string
      }
      waiting.get(message.request_seq)?.(message)
    }
  })
  let seq = 0
  const send = (command: string, args: object): number => {
    child.stdin.write(
      `${JSON.stringify({ seq: ++seq, type: 'request', command, arguments: args })}\n`,
    )
    return seq
  }
  return {
    ask: (command, args) => {
      if (command === 'open') {
        send(command, args)
        return Promise.resolve(undefined)
      }
      return new Promise((resolve, reject) => {
        waiting.set(send(command, args), ({ success, body, message }) => {
          if (success) resolve(body)
          else reject(new Error(message))
        })
      })
    },
  }
}
