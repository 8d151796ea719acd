import type { Files } from './project.ts'

const languages = ['en-US', 'de-DE', 'ar-EG']

/** Returns a text that is unique for a key and language. */
const sentinel = (language: string, key: string): string => `<${language}:${key}>`

const keys = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `KEY_${String(from + index).padStart(2, '0')}`)

/** Keys by the part of the application that shows them. */
const shown = {
  shell: keys(0, 2),
  both: keys(2, 4),
  one: keys(4, 14),
  two: keys(14, 24),
  /** Imported, but never called. */
  imported: keys(24, 28),
  /** Never mentioned. */
  unused: keys(28, 60),
}

/** Translations of an application with two pages, split between two modules. */
export const texts: Files = Object.fromEntries(
  languages.flatMap((language) =>
    [0, 1].map((half) => [
      `${language}/${moduleOf(half)}`,
      Object.fromEntries([
        ...keys(0, 60)
          .filter((_, index) => index % 2 === half)
          .map((key) => [key, sentinel(language, key)]),
        ...(half === 0
          ? [
              ['GREETING', `${language} {{name}}`],
              ['ITEMS_one', `${language} one {{count}}`],
              ['ITEMS_other', `${language} other {{count}}`],
              ['odd.svg', `${language} odd`],
            ]
          : []),
      ]),
    ]),
  ),
)

function moduleOf(half: number): string {
  return half === 0 ? 'even' : 'odd'
}

const importOf = (names: readonly string[]): string =>
  [0, 1]
    .map((half) => names.filter((name) => Number(name.slice(4)) % 2 === half))
    .map((list, half) => `import { ${list.join(', ')} } from '~uilm/${moduleOf(half)}'\n`)
    .join('')

const pageOf = (names: readonly string[], more = ''): string => `${importOf(names)}
export const render = () => [${names.map((name) => `${name}()`).join(', ')}${more}]
`

/** Application that loads the page named in the URL. */
export const application: Record<string, string> = {
  'package.json': '{"type": "module", "sideEffects": false}',
  'src/main.js': `import { getLanguage, setLanguage, subscribe } from '~uilm'
${importOf([...shown.shell, ...shown.imported])}
const pages = { one: () => import('./one.js'), two: () => import('./two.js') }
let page
const show = () => { document.body.textContent = [getLanguage(), ${shown.shell.map((key) => `${key}()`).join(', ')}, ...page.render()].join('|') }
globalThis.open_ = async (name) => { page = await pages[name](); show() }
globalThis.setLanguage = setLanguage
subscribe(show)
globalThis.open_(location.hash.slice(1))
const never = () => [${shown.imported.map((key) => `${key}()`).join(', ')}]
`,
  'src/one.js': `import { GREETING, ITEMS, 'odd.svg' as odd } from '~uilm/even'
${pageOf([...shown.both, ...shown.one], `, GREETING({ name: 'Ada' }), ITEMS({ count: 1 }), ITEMS({ count: 3 }), odd()`)}`,
  'src/two.js': pageOf([...shown.both, ...shown.two]),
}

/** HTML pages for the output of a bundler: as a classic script, or as a module. */
export const pages = {
  classic:
    '<!doctype html><link rel="icon" href="data:,"><body></body><script src="main.js"></script>',
  module:
    '<!doctype html><link rel="icon" href="data:,"><body></body><script type="module" src="main.js"></script>',
}

/** Returns the expected content of a page in a language. */
export function expected(page: 'one' | 'two', language: string): string {
  const all = [...shown.shell, ...shown.both, ...shown[page]].map((key) => sentinel(language, key))
  const more = ['Ada', 'one 1', 'other 3', 'odd'].map((rest) => `${language} ${rest}`)
  return [language, ...all, ...(page === 'one' ? more : [])].join('|')
}

/** Counts downloaded translations that are not shown, by page and language. */
export function countLeaks(downloaded: string, page: 'one' | 'two', language: string) {
  const count = (names: readonly string[], code: string): number =>
    names.filter((key) => downloaded.includes(sentinel(code, key))).length
  const visible = [...shown.shell, ...shown.both, ...shown[page]]
  // If the shown texts cannot be found, leaks could not be found either.
  if (count(visible, language) !== visible.length) throw new Error('shown texts were not found')
  return {
    languages: languages
      .filter((code) => code !== language)
      .reduce((sum, code) => sum + count(keys(0, 60), code), 0),
    unused: count([...shown.imported, ...shown.unused], language),
    pages: count(shown[page === 'one' ? 'two' : 'one'], language),
  }
}
