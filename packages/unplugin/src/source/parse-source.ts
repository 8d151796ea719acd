import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as OxcParser from 'oxc-parser'
import type { ESTree } from 'vite'

/**
 * Parses a source file as the developer wrote it: JavaScript or TypeScript, with JSX, or the
 * scripts of a component. Positions are those in the file.
 *
 * @returns undefined for syntax errors, which the compiler reports, and for other languages.
 */
export const parseSource = (source: string, file: string): ESTree.Program | undefined =>
  parseFile(source, file).program()

/** Parsed file: its lists of imports and exports, and its tree, which takes longer to read. */
interface ParsedFile extends Pick<OxcParser.ParseResult, 'module' | 'errors'> {
  readonly program: () => ESTree.Program | undefined
}

/** Parses a source file like {@link parseSource}. */
export function parseFile(source: string, file: string): ParsedFile {
  const extension = extname(file)
  const isComponent = components.has(extension)
  const result = oxc().parseSync(file, isComponent ? scriptsOf(source) : source, {
    sourceType: 'module',
    preserveParens: false,
    lang: isComponent ? 'ts' : (languages[extension] ?? 'tsx'),
  })
  return {
    module: result.module,
    errors: result.errors,
    program() {
      const { program } = result
      return program.body.length > 0 ? (program as ESTree.Program) : undefined
    },
  }
}

/** Loads the parser on first use: most builds use that of their bundler. */
const oxc = (): typeof OxcParser => createRequire(import.meta.url)('oxc-parser') as typeof OxcParser

const components: ReadonlySet<string> = new Set(['.vue', '.svelte', '.astro'])

/** Languages in which `<T>x` is a type assertion, and those without types. */
const languages: Readonly<Record<string, 'ts' | 'jsx'>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.js': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
  '.jsx': 'jsx',
}

/** Replaces everything outside the scripts of a component by spaces. */
function scriptsOf(source: string): string {
  let end = 0
  let scripts = ''
  for (const { index, 0: element, groups } of source.matchAll(script)) {
    const code = groups!['frontmatter'] ?? groups!['code']
    if (code === undefined) continue
    const start = index + element.lastIndexOf(code)
    scripts += blank(source.slice(end, start)) + code
    end = start + code.length
  }
  return scripts + blank(source.slice(end))
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')

/**
 * Comments; the frontmatter of Astro; script elements, whose content ends at the first end tag in
 * HTML too, and whose attributes may contain `>`.
 */
const script =
  /<!--[^]*?-->|^\s*---\n(?<frontmatter>[^]*?)\n---|<script(?:\s(?:"[^"]*"|'[^']*'|[^"'>])*)?>(?<code>[^]*?)<\/script\s*>/gi
