/** @typedef {import('../../testing/src/record-leaks.ts').LeakFigures & { name: string }} Row */

/** Titles of the rows in the order of the table. */
const titles = new Map([
  ['next turbopack', 'Next.js, Turbopack'],
  ['next webpack', 'Next.js, webpack'],
  ['nuxt', 'Nuxt'],
  ['sveltekit', 'SvelteKit'],
  ['astro', 'Astro'],
  ['react-router', 'React Router'],
  ['solid-start', 'SolidStart'],
])

/** Reads the recorded lines: the last figures of each name count. @param {string} text */
export function readLeaks(text) {
  /** @type {Map<string, Row>} */
  const rows = new Map()
  for (const line of text.trim().split('\n')) {
    const row = JSON.parse(line)
    rows.set(row.name, { ...rows.get(row.name), ...row })
  }
  const order = [...titles.keys()]
  const place = (/** @type {Row} */ { name }) => order.indexOf(name) + 1 || 1000
  return [...rows.values()].toSorted((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1))
}

/** Formats the table as Markdown. @param {readonly Row[]} rows */
export function formatLeaks(rows) {
  /** @param {number | undefined} value */
  const count = (value) => (value === undefined ? '' : value.toLocaleString('en-US'))
  const cells = rows.map(({ name, requests, wrong, between, languages, unused }) => [
    titles.get(name) ?? name,
    count(requests),
    count(wrong),
    count(between),
    count(languages),
    count(unused),
  ])
  const head = [
    'framework or bundler',
    'interleaved requests',
    'wrong messages',
    'leaks between requests',
    'messages of other languages in the browser',
    'unused messages in the browser',
  ]
  return `# Leaks

Written by \`npm run bench -- leaks\`, from the tests of each framework and bundler.

${[head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...cells]
  .map((row) => `| ${row.join(' | ')} |`)
  .join('\n')}\n`
}
