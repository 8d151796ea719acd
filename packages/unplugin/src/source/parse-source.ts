import { extname } from 'node:path'
import { parse, type ParserPlugin } from '@babel/parser'
import type { ESTree } from 'vite'

/**
 * Parses a source file as the developer wrote it: JavaScript or TypeScript, with JSX, or the
 * scripts of a component. Positions are those in the file.
 *
 * @returns undefined for syntax errors, which the compiler reports, and for other languages.
 */
export function parseSource(source: string, file: string): ESTree.Program | undefined {
  const extension = extname(file)
  const isComponent = components.has(extension)
  try {
    const { program, errors } = parse(isComponent ? scriptsOf(source) : source, {
      sourceType: 'module',
      plugins: ['estree', 'decorators', ...(isComponent ? typescript : pluginsOf(extension))],
      // The frontmatter of Astro may return a response.
      allowReturnOutsideFunction: true,
      attachComment: false,
      errorRecovery: true,
    })
    const isRead = errors.every(({ reasonCode }) => laterErrors.has(reasonCode))
    return isRead ? (program as unknown as ESTree.Program) : undefined
  } catch {
    return undefined
  }
}

/** Errors that do not concern the syntax; two scripts of a component may import the same name. */
const laterErrors: ReadonlySet<string> = new Set([
  'DuplicateExport',
  'ModuleExportUndefined',
  'VarRedeclaration',
])

const components: ReadonlySet<string> = new Set(['.vue', '.svelte', '.astro'])

const typescript: readonly ParserPlugin[] = ['typescript']

/** Returns the syntax of a file: `<T>x` is a type assertion in some languages and JSX in others. */
function pluginsOf(extension: string): readonly ParserPlugin[] {
  if (/^\.[cm]?ts$/.test(extension)) return typescript
  return /^\.(?:[cm]?js|jsx)$/.test(extension) ? ['jsx'] : ['typescript', 'jsx']
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
