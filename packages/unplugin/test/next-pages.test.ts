import { MagicString } from 'magic-string'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { LoaderContext, LoaderOptions } from '../src/next/loader-context.ts'
import { pageKindOf, wrapPage } from '../src/next/page.ts'
import { parseSource } from '../src/source/parse-source.ts'
import { segmentKindOf } from '../src/next/segment.ts'
import { takeExport } from '../src/next/take-export.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const extensions = ['tsx', 'ts']

describe('an export that is taken', () => {
  it.each([
    ['export default function Page() {}', 'default', 'Page', 'function Page() {}'],
    ['export default () => 1', 'default', '$default', 'const $default = () => 1'],
    ['export default function () {}', 'default', '$default', 'const $default = function () {}'],
    ['export default memo(Page)', 'default', '$default', 'const $default = memo(Page)'],
    ['const P = 1; export { P as default, Q }', 'default', 'P', 'const P = 1; export { Q }'],
    ['export { P as default }', 'default', 'P', ''],
    [
      `export { P as default } from './p'`,
      'default',
      '$default',
      `import { P as $default } from "./p"`,
    ],
    ['export async function load() {}', 'load', 'load', 'async function load() {}'],
    ['export const load = async () => 1', 'load', 'load', 'const load = async () => 1'],
  ])('%s', (source, name, local, expected) => {
    const edited = new MagicString(source)
    expect(takeExport(edited, parseSource(source, 'file.tsx')!, name)).toBe(local)
    expect(edited.toString().trim().replace('{  Q', '{ Q')).toBe(expected)
  })
})

const wrap = (source: string, options: Partial<LoaderOptions> = {}): string => {
  const edited = new MagicString(source)
  const loader = {
    resourcePath: '/app/pages/cart.tsx',
    getOptions: () => ({
      root,
      browser: false,
      pagesDir: '/app/pages',
      extensions,
      isStatic: false,
      ...options,
    }),
  } as unknown as LoaderContext
  wrapPage(loader, 'page', edited, source)
  return edited.toString()
}

describe('a page of the Pages Router', () => {
  const page = 'export default function Page() {}\n'

  it.each([
    [page, {}, 'getServerSideProps'],
    [page, { isStatic: true }, 'getStaticProps'],
    [`${page}// getStaticProps`, {}, 'getServerSideProps'],
    [`${page}export const getStaticProps = () => ({ props: {} })`, {}, 'getStaticProps'],
    [`${page}export { getStaticProps } from './props'`, {}, 'getStaticProps'],
  ])('adds its messages to its properties: %s %o', (source, options, name) => {
    expect(wrap(source, options)).toContain(`export { $pageProps as ${name} }`)
    expect(wrap(source, options)).toContain('export default $withPageMessages(Page)')
    const inBrowser = wrap(source, { ...options, browser: true })
    expect(inBrowser).toContain(name)
    expect(inBrowser).not.toContain('uilm-keys')
  })

  it('keeps getInitialProps', () => {
    const code = wrap(`${page}Page.getInitialProps = () => ({})`)
    expect(code).not.toContain('$pageProps')
  })
})

it('knows the files that the routers show', () => {
  const segment = (path: string) => segmentKindOf(path, { appDir: '/a/app', extensions })
  expect(segment('/a/app/[lang]/page.tsx')).toBe('segment')
  expect(segment('/a/app/layout.ts')).toBe('layout')
  expect(segment('/a/app/cart/error.tsx')).toBeUndefined()
  expect(segment('/a/components/page.tsx')).toBeUndefined()
  expect(segment('/a/app/page.jsx')).toBeUndefined()
  const page = (path: string) => pageKindOf(path, { pagesDir: '/a/pages', extensions })
  expect(page('/a/pages/cart/[id].tsx')).toBe('page')
  expect(page('/a/pages/_app.tsx')).toBe('app')
  expect(page('/a/pages/_document.tsx')).toBeUndefined()
  expect(page('/a/pages/api/cart.ts')).toBeUndefined()
  expect(page('/a/pages/cart.css')).toBeUndefined()
})
