import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printArgument } from '../generate-catalog.mjs'

/**
 * Messages of an application with two pages that are loaded on demand. The rest of the
 * catalog is not shown.
 *
 * @typedef {object} Pages
 * @property {readonly Message[]} one
 * @property {readonly Message[]} two
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
 * Selects messages from the whole catalog, as real pages do.
 *
 * @param {import('../generate-catalog.mjs').GeneratedCatalog} catalog
 * @param {number} count on each page
 * @returns {Pages}
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
 * Writes the sources of the application.
 *
 * @param {string} root
 * @param {Pages} pages
 * @param {MessageCode} code
 */
export async function writeApp(root, pages, { imports, call }) {
  await mkdir(join(root, 'src'), { recursive: true })
  await writeFile(join(root, 'package.json'), '{"type": "module"}\n')
  await writeFile(
    join(root, 'src', 'main.js'),
    `const pages = { one: () => import('./one.js'), two: () => import('./two.js') }\n` +
      `const { render } = await pages[globalThis.page]()\n` +
      `globalThis.show(render())\n`,
  )
  for (const [name, shown] of Object.entries(pages)) {
    // A parameter shows its own name.
    const argument = (/** @type {Message} */ message) =>
      printArgument(message, (param) => `'${param}?'`)
    const calls = shown.map((message) => `  ${call(message, argument(message))},\n`)
    await writeFile(
      join(root, 'src', `${name}.js`),
      `${imports(shown)}\nexport const render = () => [\n${calls.join('')}]\n`,
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
