import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const assets = fileURLToPath(new URL('../dist/site/assets/', import.meta.url))
const files = readdirSync(assets)
const textOf = (name: string): string => readFileSync(`${assets}${name}`, 'utf8')
const find = (pattern: RegExp): string => files.find((name) => pattern.test(name))!

/** Returns a script with everything that it loads: static imports, styles and messages. */
function withImports(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const code = textOf(name)
  const imports = [...code.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)]
  for (const [, imported] of imports) withImports(imported!, seen)
  // The language packs that the script selects from, in one language.
  for (const [, hash] of code.matchAll(/uilm-([0-9a-f]+)\./g)) {
    const pack = files.find((one) => one === `uilm-${hash}.ar.js`)
    if (pack) seen.add(pack)
  }
  const style = find(new RegExp(`^${name.replace(/-[\w-]{8}\.js$/, '')}-[\\w-]{8}\\.css$`))
  if (style) seen.add(style)
  return seen
}

const bytesOf = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + statSync(`${assets}${name}.gz`).size, 0)

const shell = withImports(find(/^index-.*\.js$/))

it('loads the shell with at most 60 kB, compressed', () => {
  expect(shell.size).toBeGreaterThan(2)
  expect(bytesOf(shell)).toBeLessThanOrEqual(60_000)
})

it.each([
  'overview',
  'translations',
  'tasks',
  'data',
  'people',
  'files',
  'webhooks',
  'tools',
  'inbox',
  'workbench',
])('loads the page %s with at most 150 kB with the shell, compressed', (page) => {
  const script = find(new RegExp(`^${page}-page-.*\\.js$`))
  const worker = page === 'translations' ? [find(/^problems\.worker-.*\.js$/)] : []
  const all = new Set([...shell, ...withImports(script), ...worker])
  expect(all.size).toBeGreaterThan(shell.size)
  expect(bytesOf(all)).toBeLessThanOrEqual(150_000)
})

it('loads the query editor apart from its page, with at most 180 kB, compressed', () => {
  const editor = find(/^query-editor-.*\.js$/)
  const page = withImports(find(/^data-page-.*\.js$/))
  expect(page.has(editor)).toBe(false)
  const added = [...withImports(editor)].filter((name) => !shell.has(name) && !page.has(name))
  expect(bytesOf(added)).toBeLessThanOrEqual(180_000)
})

it('has no inline script and no address of another network', () => {
  const html = readFileSync(`${assets}../index.html`, 'utf8')
  expect(html).not.toMatch(/<script(?![^>]* src=")|<style| style=/)
  expect(html.match(/(?:src|href)="(?!\/console\/assets\/)[^"]*"/g)).toBeNull()
})
