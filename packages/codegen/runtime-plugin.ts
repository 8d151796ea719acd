import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { format } from 'oxfmt'
import ts from 'typescript'
import { fileHead } from './src/emit/file.ts'
import { sourceHead } from './src/emit/source.ts'

/** Plugin of a bundler or of Vite. */
export interface RuntimePlugin {
  readonly name: string
  readonly transform: {
    readonly order: 'pre'
    readonly filter: { readonly id: RegExp }
    readonly handler: (
      this: { readonly addWatchFile: (file: string) => void },
      code: string,
    ) => Promise<{ readonly code: string; readonly map: null }>
  }
}

/**
 * Adds the text of `runtime/*.ts` to `src/emit/runtime-files.ts`, as TypeScript and as
 * JavaScript with declarations. The build and the tests use it, so that the package needs
 * no TypeScript at run time.
 *
 * @param isCompressed Adds the texts compressed, which takes a third off the package.
 * @param isNamesOnly Adds only the lines of exports, for browsers that compare schemas.
 */
export function runtimePlugin({ isCompressed = false, isNamesOnly = false } = {}): RuntimePlugin {
  return {
    name: 'codegen-runtime',
    transform: {
      order: 'pre',
      filter: { id: /\/codegen\/src\/emit\/runtime-files\.ts$/ },
      async handler(code) {
        const parts = [...code.matchAll(/'(gateway[a-z-]*)'/g)].map(([, part]) => part!)
        const texts = await Promise.all(
          parts.map(async (part) => {
            const file = new URL(`runtime/${part}.ts`, import.meta.url)
            this.addWatchFile(file.pathname)
            const text = readFileSync(file, 'utf8')
            const names = text.match(/^export .*/gm)!.join('\n')
            return [part, isNamesOnly ? { ts: names } : await formatsOf(part, text)] as const
          }),
        )
        const json = JSON.stringify(Object.fromEntries(texts))
        const packed = brotliCompressSync(json).toString('base64')
        const value = isCompressed
          ? `JSON.parse(brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString())`
          : json
        const head = isCompressed
          ? "import { Buffer } from 'node:buffer'\nimport { brotliDecompressSync } from 'node:zlib'\n"
          : ''
        return {
          code:
            head +
            code.replace(/declare (const runtimeFiles: .*)/, (_, start) => `${start} = ${value}`),
          map: null,
        }
      },
    },
  }
}

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  // Keeps the pure annotations.
  removeComments: true,
}

async function formatsOf(part: string, text: string): Promise<Record<string, string>> {
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  const declared = ts.transpileDeclaration(text, {
    compilerOptions: { ...compilerOptions, removeComments: false, isolatedDeclarations: true },
    reportDiagnostics: true,
  })
  const [problem] = declared.diagnostics ?? []
  if (problem !== undefined) {
    throw new Error(`${part}.ts: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`)
  }
  // The compiler omits empty lines between declarations.
  const declarations = declared.outputText.replaceAll(/[};]\n(?=\/\*\*|export)/g, '$&\n')
  return {
    ts: `${sourceHead}${text.startsWith('import ') ? '' : '\n'}${text}`,
    js: await formatted(`${part}.js`, fileHead + outputText),
    'd.ts': await formatted(`${part}.d.ts`, fileHead + declarations),
  }
}

async function formatted(name: string, text: string): Promise<string> {
  const { code, errors } = await format(name, text, {
    semi: false,
    singleQuote: true,
    printWidth: 100,
    trailingComma: 'all',
  })
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`)
  return code
}
