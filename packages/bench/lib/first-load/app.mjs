import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Application of two pages that are loaded on demand: the first shows 100 messages, the
 * second 100 others; the rest of the catalog is not shown.
 *
 * @typedef {object} Pages
 * @property {readonly Shown[]} one
 * @property {readonly Shown[]} two
 *
 * @typedef {import('../texts.mjs').GeneratedKey} Shown
 *
 * Access of a contender's page to its messages.
 *
 * @typedef {object} Style
 * @property {(shown: readonly Shown[]) => string} imports lines at the top of a page
 * @property {(shown: Shown, args: string) => string} call as `m.SIGN_IN()`; `args` may be empty
 */

/**
 * Chooses keys spread over the whole catalog, as real pages do.
 *
 * @param {import('../texts.mjs').GeneratedTexts} texts
 * @param {number} count on each page
 * @returns {Pages}
 */
export function choosePages(texts, count) {
  const step = Math.floor(texts.keys.length / (count * 2))
  const chosen = texts.keys.filter((_, index) => index % step === 0).slice(0, count * 2)
  return {
    one: chosen.filter((_, index) => index % 2 === 0),
    two: chosen.filter((_, index) => index % 2 === 1),
  }
}

/**
 * Writes the application's sources; the build of them is what `visitPage` loads.
 *
 * @param {string} root
 * @param {Pages} pages
 * @param {Style} style
 */
export async function writeApp(root, pages, style) {
  await mkdir(join(root, 'src'), { recursive: true })
  // Node runs the bundler's output.
  await writeFile(join(root, 'package.json'), '{"type": "module"}\n')
  await writeFile(
    join(root, 'src', 'main.js'),
    `const pages = { one: () => import('./one.js'), two: () => import('./two.js') }\n` +
      `const { render } = await pages[globalThis.page]()\n` +
      `globalThis.show(render())\n`,
  )
  for (const [name, shown] of Object.entries(pages)) {
    const calls = shown.map((one) => `  ${style.call(one, argumentsOf(one))},\n`)
    await writeFile(
      join(root, 'src', `${name}.js`),
      `${style.imports(shown)}\nexport const render = () => [\n${calls.join('')}]\n`,
    )
  }
}

/**
 * Returns arguments like `{ count: 'count?' }`, so that a parameter shows its own name.
 * @param {Shown} shown
 */
function argumentsOf({ params }) {
  return params.length === 0 ? '' : `{ ${params.map((name) => `${name}: '${name}?'`).join(', ')} }`
}

/**
 * Returns the texts that a page must show in a language.
 * @param {readonly Shown[]} shown @param {string} language
 */
export const expectedTexts = (shown, language) =>
  shown.map(({ texts }) => (texts[language] ?? '').replaceAll(/\{\{(\w+)\}\}/g, '$1?'))
