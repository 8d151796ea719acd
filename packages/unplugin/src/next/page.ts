import { dirname, join, relative, sep } from 'node:path'
import { existsSync } from 'node:fs'
import type { MagicString } from 'magic-string'
import { parseSource } from '../source/parse-source.ts'
import { fileImports } from './file-imports.ts'
import type { LoaderContext, LoaderOptions } from './loader-context.ts'
import { clientQuery } from './keys.ts'
import { takeExport } from './take-export.ts'

/** Kind of a file of the Pages Router: a page, or the component around all pages. */
export type PageKind = 'page' | 'app'

/** Returns the kind of a file of the Pages Router; undefined for other files. */
export function pageKindOf(
  path: string,
  { pagesDir, extensions }: Pick<LoaderOptions, 'pagesDir' | 'extensions'>,
): PageKind | undefined {
  if (pagesDir === null || !path.startsWith(pagesDir + sep)) return undefined
  const name = relative(pagesDir, path).replaceAll('\\', '/')
  const extension = extensions.find((one) => name.endsWith(`.${one}`))
  if (extension === undefined || name.startsWith('api/')) return undefined
  const plain = name.slice(0, -extension.length - 1)
  if (plain === '_app') return 'app'
  return ['_document', '_error'].includes(plain) ? undefined : 'page'
}

/**
 * Edits a file of the Pages Router: its default export provides the messages that its
 * properties contain, and the function that loads the properties of a page adds them.
 */
export function wrapPage(
  loader: LoaderContext,
  kind: PageKind,
  edited: MagicString,
  source: string,
): void {
  const { browser, pagesDir, extensions, isStatic } = loader.getOptions()
  const path = loader.resourcePath
  const program = parseSource(source, path)
  const component = program && takeExport(edited, program, 'default')
  if (!program || component === undefined) return
  const lines = [`import { withPageMessages as $withPageMessages } from '~uilm-next/pages'`]
  // A page with getInitialProps can have no other function.
  if (kind === 'page' && !source.includes('getInitialProps')) {
    const usual = ['getServerSideProps', 'getStaticProps']
    const { exports, reexports } = fileImports(program)
    const exported = new Set([
      ...exports,
      ...reexports.flatMap(({ names }) => (names ?? []).map(([, to]) => to)),
    ])
    const own = usual.find((name) => exported.has(name))
    const name = own ?? usual[isStatic ? 1 : 0]!
    if (browser) {
      // Next.js replaces the function by a note that there is one.
      if (!own) lines.push(`export const ${name} = () => undefined`)
    } else {
      const app = extensions
        .map((extension) => join(pagesDir!, `_app.${extension}`))
        .filter((file) => existsSync(file))
      const requests = [path, ...app].map((file) => {
        const way = relative(dirname(path), file).replaceAll('\\', '/')
        return JSON.stringify(`${way.startsWith('.') ? way : `./${way}`}${clientQuery}`)
      })
      const local = takeExport(edited, program, name) ?? 'undefined'
      lines.push(
        `import { withPageProps as $withPageProps } from '~uilm-next/page-props'`,
        ...requests.map((one, index) => `import { $all as $keys${index} } from ${one}`),
        `const $pageProps = $withPageProps(${local}, [${requests.map((_, index) => `$keys${index}`).join(', ')}])`,
        `export { $pageProps as ${name} }`,
      )
    }
  }
  edited.append(`\n${lines.join('\n')}\nexport default $withPageMessages(${component})\n`)
}
