import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * An application of two pages that are loaded on demand: the first shows 100 texts,
 * the second 100 others, the rest of the catalog is shown nowhere.
 *
 * @typedef {object} Pages
 * @property {readonly Shown[]} one
 * @property {readonly Shown[]} two
 *
 * @typedef {import('../texts.mjs').GeneratedKey} Shown
 *
 * How a contender's page gets its texts.
 *
 * @typedef {object} Style
 * @property {(shown: readonly Shown[]) => string} imports lines at the head of a page
 * @property {(shown: Shown, args: string) => string} call as `m.SIGN_IN()`; `args` may be empty
 */

/**
 * The keys are taken from all over the catalog, as pages do.
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
 * Writes the application's sources; what `visitPage` loads is built from them.
 *
 * @param {string} root
 * @param {Pages} pages
 * @param {Style} style
 */
export async function writeApp(root, pages, style) {
  await mkdir(join(root, 'src'), { recursive: true })
  // Node runs what the bundler wrote.
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

/** `{ count: 'count?' }`: a parameter shows its own name. @param {Shown} shown */
function argumentsOf({ params }) {
  return params.length === 0 ? '' : `{ ${params.map((name) => `${name}: '${name}?'`).join(', ')} }`
}

/** What a page must show in a language. @param {readonly Shown[]} shown @param {string} language */
export const expectedTexts = (shown, language) =>
  shown.map(({ texts }) => (texts[language] ?? '').replaceAll(/\{\{(\w+)\}\}/g, '$1?'))
