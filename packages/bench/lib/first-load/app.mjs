import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printArgument } from '../generate-catalog.mjs'

/**
 * Messages of an application with pages that are loaded on demand, by page. Those of `layout` are
 * shown on every page. The rest of the catalog is not shown.
 *
 * @typedef {Readonly<Record<string, readonly Message[]>>} Pages
 *
 * @typedef {import('../generate-catalog.mjs').GeneratedMessage} Message
 *
 * Code with which a contender's page accesses its messages.
 *
 * @typedef {object} MessageCode
 * @property {(shown: readonly Message[]) => string} imports lines at the top of a page
 * @property {(message: Message, argument: string) => string} call as `m.SIGN_IN()`; `argument` may be empty
 */

/**
 * Selects messages of two pages from the whole catalog, as real pages do.
 *
 * @param {import('../generate-catalog.mjs').GeneratedCatalog} catalog
 * @param {number} count on each page
 */
export function selectPages(catalog, count) {
  const step = Math.floor(catalog.messages.length / (count * 2))
  const selected = catalog.messages.filter((_, index) => index % step === 0).slice(0, count * 2)
  return {
    one: selected.filter((_, index) => index % 2 === 0),
    two: selected.filter((_, index) => index % 2 === 1),
  }
}

/**
 * Selects messages of ten pages from the whole catalog: 30 of their own, ten that each page shares
 * with the next one, and ten of a layout.
 *
 * @param {import('../generate-catalog.mjs').GeneratedCatalog} catalog
 */
export function selectTenPages({ messages }) {
  const pick = (/** @type {number} */ start, /** @type {number} */ count) =>
    messages.filter((_, index) => index % 2 === 0).slice(start, start + count)
  const pages = Array.from(
    { length: 10 },
    (_, index) =>
      /** @type {const} */ ([
        `page${index}`,
        [
          ...pick(index * 40, 30),
          ...pick(index * 40 + 30, 10),
          ...pick(((index + 9) % 10) * 40 + 30, 10),
        ],
      ]),
  )
  return { layout: pick(400, 10), ...Object.fromEntries(pages) }
}

/**
 * Writes the sources of the application.
 *
 * @param {string} root
 * @param {Pages} pages
 * @param {MessageCode} code
 */
export async function writeApp(root, pages, code) {
  await mkdir(join(root, 'src'), { recursive: true })
  await writeFile(join(root, 'package.json'), '{"type": "module"}\n')
  const imports = Object.keys(pages).flatMap((name) =>
    name === 'layout' ? [] : `${name}: () => import('./${name}.js')`,
  )
  const hasLayout = 'layout' in pages
  await writeFile(
    join(root, 'src', 'main.js'),
    `${hasLayout ? `import { render as layout } from './layout.js'\n` : ''}` +
      `const pages = { ${imports.join(', ')} }\n` +
      `const { render } = await pages[globalThis.page]()\n` +
      `globalThis.show(${hasLayout ? '[...layout(), ...render()]' : 'render()'})\n`,
  )
  for (const [name, shown] of Object.entries(pages)) {
    // A parameter shows its own name.
    const argument = (/** @type {Message} */ message) =>
      printArgument(message, (param) => `'${param}?'`)
    const calls = shown.map((message) => `  ${code.call(message, argument(message))},\n`)
    await writeFile(
      join(root, 'src', `${name}.js`),
      `${code.imports(shown)}\nexport const render = () => [\n${calls.join('')}]\n`,
    )
  }
}

/**
 * Returns the strings that a page must show in a language.
 *
 * @param {readonly Message[]} shown
 * @param {string} language
 */
export const expectedStrings = (shown, language) =>
  shown.map(({ translations }) =>
    (translations[language] ?? '').replaceAll(/\{\{(\w+)\}\}/g, '$1?'),
  )
