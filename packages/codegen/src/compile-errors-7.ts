import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { CompileError, FindErrors } from './compile-errors.ts'

interface Diagnostic {
  readonly fileName?: string | undefined
  readonly pos: number
  readonly text: string
  readonly messageChain?: readonly Diagnostic[] | undefined
}

/** The part of `typescript/unstable/sync` (version 7) that is used here. */
export interface TypeScript7 {
  readonly API: new (options: {
    readonly cwd: string
    readonly fs: {
      readonly readFile: (file: string) => string | null | undefined
      readonly fileExists: (file: string) => boolean | undefined
    }
  }) => {
    readonly updateSnapshot: (params: { readonly openProjects: readonly string[] }) => {
      readonly getProject: (config: string) =>
        | {
            readonly program: {
              readonly getSyntacticDiagnostics: () => readonly Diagnostic[]
              readonly getSemanticDiagnostics: () => readonly Diagnostic[]
            }
          }
        | undefined
    }
    readonly close: () => void
  }
}

/** Finds errors with the native compiler, which reads the new files through callbacks. */
export const findErrorsWith =
  ({ API }: TypeScript7): FindErrors =>
  (config, outDir, files) => {
    const isOurs = (file: string): boolean => resolve(file).startsWith(outDir + sep)
    const texts = new Map(files?.map(({ name, text }) => [join(outDir, name), text]))
    // Undefined means that the file on disk counts.
    const api = new API({
      cwd: dirname(config),
      fs: {
        readFile: (file) =>
          files && isOurs(file) ? (texts.get(resolve(file)) ?? null) : undefined,
        fileExists: (file) => (files && isOurs(file) ? texts.has(resolve(file)) : undefined),
      },
    })
    try {
      const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
      if (project === undefined) throw new Error('TypeScript 7 did not open the project')
      const { program } = project
      const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()]
      return found.flatMap((diagnostic) => {
        const { fileName } = diagnostic
        const isTheirs =
          fileName !== undefined && !isOurs(fileName) && !/[\\/]node_modules[\\/]/.test(fileName)
        return isTheirs ? convert(fileName, diagnostic) : []
      })
    } finally {
      api.close()
    }
  }

function convert(file: string, diagnostic: Diagnostic): CompileError {
  const text = readFileSync(file, 'utf8')
  const before = text.slice(0, diagnostic.pos).split('\n')
  return {
    file: relative(process.cwd(), file).replaceAll(sep, '/'),
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    message: messagesOf(diagnostic).join(' ').replaceAll(/\s+/g, ' '),
    text: text.split('\n')[before.length - 1]?.trim() ?? '',
  }
}

/** Returns the message and its explanations, from the general to the specific. */
const messagesOf = ({ text, messageChain = [] }: Diagnostic): readonly string[] => [
  text,
  ...messageChain.flatMap(messagesOf),
]
