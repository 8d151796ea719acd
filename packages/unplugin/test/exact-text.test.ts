import { takeWarnings } from '@servicekit/testing/warnings'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { bundlers } from './bundlers.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { runNode } from './run-node.ts'

// Runs bundlers on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

afterAll(removeFolders)

/** Keys that are exact texts, as a program writes them. */
const literals = [
  String.raw`'Don\'t'`,
  String.raw`"Don't"`,
  String.raw`"a\\b"`,
  String.raw`'say "x"'`,
  String.raw`"say \"y\""`,
  String.raw`'tab\there'`,
  String.raw`'line\nbreak'`,
  String.raw`'caf\u00e9'`,
  String.raw`'sm\u{69}le'`,
  String.raw`'\x41-b'`,
  String.raw`'Hi {name} // you'`,
  String.raw`'a, b as c'`,
]
const keyOf = (literal: string): string => new Function(`return ${literal}`)() as string
const keys = [...new Set(literals.map(keyOf))]
const snapshot = { 'en-US/texts': Object.fromEntries(keys.map((key) => [key, `<${key}>`])) }

const main = `import { ${literals.map((literal, index) => `${literal} as t${index}`).join(", // a } comment that isn't code\n")} } from '~uilm/texts'
import * as texts from '~uilm/texts'
globalThis.shown = [${literals.map((_, index) => `t${index}()`).join(', ')}, texts[${literals[0]}]()]
`

describe.each(Object.entries(bundlers))('a build of %s', (name, build) => {
  it('imports keys by their exact text, whatever escapes it is written with', async () => {
    const root = await temporaryFolder()
    await writeApp(root, { 'package.json': '{"type": "module"}', 'src/main.js': main })
    await writeSnapshot(root, snapshot)
    // webpack bundles for several languages run only in browsers.
    await build(root, name.endsWith('pack') ? { inline: 'en-US' } : {})
    const shown = await runNode<string[]>(
      root,
      `await import('./dist/main.js')
      while (!globalThis.shown) await new Promise(setImmediate)
      const result = globalThis.shown`,
    )
    expect(shown).toEqual([...literals, literals[0]!].map((literal) => `<${keyOf(literal)}>`))
    // Bundlers without a logger of their own warn that an index loads the whole module.
    for (const warning of takeWarnings()) expect(warning).toContain('looks up messages by name')
  })
})
