import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { MagicString } from 'magic-string'
import { parseSource } from '../source/parse-source.ts'
import type { ESTree } from 'vite'
import { isFileOf } from './application.ts'
import type { LoaderContext, LoaderOptions } from './loader-context.ts'
import { serverQuery } from './keys.ts'
import { directiveOf } from './directive.ts'
import { takeExport } from './take-export.ts'

/** Files of the App Router that show something, except error pages. */
const segmentNames = [
  'page',
  'layout',
  'template',
  'default',
  'loading',
  'not-found',
  'forbidden',
  'unauthorized',
] as const

/** Query of a page that is itself a client component, behind its server component. */
export const rawQuery = '?uilm-raw'

/** Kind of a file that the router shows. */
export type SegmentKind = 'layout' | 'segment'

/** Returns the kind of a file of the App Router; undefined for other files. */
export function segmentKindOf(
  path: string,
  { appDir, extensions }: Pick<LoaderOptions, 'appDir' | 'extensions'>,
): SegmentKind | undefined {
  if (appDir === null || !path.startsWith(appDir + sep)) return undefined
  const name = basename(path)
  if (isFileOf(name, ['layout'], extensions)) return 'layout'
  return isFileOf(name, segmentNames, extensions) ? 'segment' : undefined
}

/**
 * Edits a page, layout or the like so that its default export provides the messages of the
 * client files that it leads to, except those that the layouts above provide.
 */
export async function wrapSegment(
  loader: LoaderContext,
  kind: SegmentKind,
  edited: MagicString,
  source: string,
): Promise<void> {
  const options = loader.getOptions()
  const path = loader.resourcePath
  const program = parseSource(source, path)
  if (!program) return
  const lines = [`import { withMessages as $withMessages } from '~uilm-next/segment'`]
  const keysOf = (file: string): string => {
    const local = `$keys${lines.length}`
    lines.push(
      `import { $all as ${local} } from ${JSON.stringify(keysRequest(file, path, options))}`,
    )
    return local
  }
  const own = [path, ...(kind === 'layout' ? errorPages(loader, dirname(path)) : [])].map(keysOf)
  const above = layoutsAbove(loader, kind).map(keysOf)
  const wrapped = (component: string): string =>
    `export default $withMessages(${component}, [${own.join(', ')}], [${above.join(', ')}])`

  const directive = directiveOf(program)
  if (directive === 'client') {
    replaceClientSegment(edited, program, basename(path), lines, wrapped)
    return
  }
  const component = takeExport(edited, program, 'default')
  if (component === undefined) return
  lines.push(...wrapGenerators(edited, program))
  edited.append(`\n${lines.join('\n')}\n${wrapped(component)}\n`)
}

/** Replaces a page that is itself a client component by one that shows it. */
function replaceClientSegment(
  edited: MagicString,
  program: ESTree.Program,
  name: string,
  lines: readonly string[],
  wrapped: (component: string) => string,
): void {
  const raw = JSON.stringify(`./${name}${rawQuery}`)
  const named = program.body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' && node.declaration?.type === 'VariableDeclaration'
      ? node.declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
      : [],
  )
  const exports = named.length > 0 ? `export { ${named.join(', ')} } from ${raw}\n` : ''
  edited.overwrite(
    0,
    edited.original.length,
    `import $Segment from ${raw}\n${exports}${lines.join('\n')}\n${wrapped('$Segment')}\n`,
  )
}

/** Makes `generateMetadata` and `generateViewport` wait for the language. */
const wrapGenerators = (edited: MagicString, program: ESTree.Program): readonly string[] =>
  ['generateMetadata', 'generateViewport'].flatMap((name) => {
    const local = takeExport(edited, program, name)
    if (local === undefined) return []
    return [
      `import { withLanguage as $with_${name} } from '~uilm-next/segment'`,
      `const $wrapped_${name} = $with_${name}(${local})`,
      `export { $wrapped_${name} as ${name} }`,
    ]
  })

/** Returns the request of the module that lists the messages of a file. */
function keysRequest(file: string, from: string, { root }: LoaderOptions): string {
  if (/^(?:global-)?error\.\w+$/.test(basename(file))) {
    const of = encodeURIComponent(relative(root, file).replaceAll('\\', '/'))
    return `~uilm-next/keys${serverQuery}&uilm-of=${of}`
  }
  const way = relative(dirname(from), file).replaceAll('\\', '/')
  return `${way.startsWith('.') ? way : `./${way}`}${serverQuery}`
}

/** Returns the layouts above a file, and the error pages whose messages they provide. */
function layoutsAbove(loader: LoaderContext, kind: SegmentKind): readonly string[] {
  const { appDir, extensions } = loader.getOptions()
  const here = dirname(loader.resourcePath)
  const found: string[] = []
  for (
    let folder = kind === 'layout' ? dirname(here) : here;
    folder.startsWith(appDir!);
    folder = dirname(folder)
  ) {
    const layout = extensions
      .map((extension) => join(folder, `layout.${extension}`))
      .find((file) => existsSync(file))
    if (layout) found.push(layout, ...errorPages(loader, folder))
  }
  return found
}

/**
 * Returns the error pages that a layout provides with messages: they take the place of what
 * it shows. The root layouts also provide for the global error page.
 */
function errorPages(loader: LoaderContext, folder: string): readonly string[] {
  const { appDir, extensions } = loader.getOptions()
  const find = (at: string, isBelow: boolean): readonly string[] => {
    loader.addContextDependency?.(at)
    const entries = readdirSync(at, { withFileTypes: true })
    if (isBelow && entries.some(({ name }) => isFileOf(name, ['layout'], extensions))) return []
    return entries.flatMap((entry) => {
      if (entry.isDirectory()) return find(join(at, entry.name), true)
      return isFileOf(entry.name, ['error'], extensions) ? [join(at, entry.name)] : []
    })
  }
  const globalError = extensions
    .map((extension) => join(appDir!, `global-error.${extension}`))
    .filter((file) => existsSync(file))
  return [...find(folder, false), ...globalError]
}
