import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { type Files, modelFrom } from '../../test/project.ts'
import { createChunkPacks } from './chunk-packs.ts'

const files: Files = {
  'en-US/auth': { A: 'one', B: 'two {{name}}', C: 'three' },
  'de-DE/auth': { A: 'eins', B: 'zwei {{name}}' },
}

const cut = (code: string, texts = files, isBundledAgain = false) => {
  const result = createChunkPacks({
    code,
    isBundledAgain,
    model: modelFrom(texts),
    parse: (text) => parseAst(text),
  })
  return result && { ...result, code: result.edited.toString() }
}

const chunk = `import { m, p } from "./runtime.js";
console.log("first");
const b = m(p, "~uilm-key/auth/B"), a = m(p, '~uilm-key/auth/A');
const again = m(p, "~uilm-key/auth/B");
`

describe('the packs of a chunk', () => {
  it('contain its messages in each language and no others', () => {
    const { packs } = cut(chunk)!
    expect(packs.map(({ name, source }) => [name.replace(/-[\da-f]{8}/, '-HASH'), source])).toEqual(
      [
        ['uilm-HASH.en-US.js', 'export default ["one",a=>"two "+a.name]\n'],
        ['uilm-HASH.de-DE.js', 'export default ["eins",a=>"zwei "+a.name]\n'],
      ],
    )
  })

  it('are awaited at the top level before the first message', () => {
    const { code, packs } = cut(chunk)!
    const hash = /uilm-([\da-f]{8})/.exec(packs[0]!.name)![1]
    expect(code.replaceAll(hash!, 'HASH')).toBe(`import { m, p } from "./runtime.js";
console.log("first");
const pack$uilm = await p((language) => import(\`./uilm-HASH.\${language}.js\`));
const b = m(pack$uilm,1), a = m(pack$uilm,0);
const again = m(pack$uilm,1);
`)
  })

  it('are each an import of their own where another tool has to find them', () => {
    const { code, packs } = cut('const a = m(p, "~uilm-key/auth/A")', files, true)!
    const hash = /uilm-([\da-f]{8})/.exec(packs[0]!.name)![1]
    expect(code.replaceAll(hash!, 'HASH')).toBe(
      `const pack$uilm = await p((language) => ({ "en-US": () => import("./uilm-HASH.en-US.js"), "de-DE": () => import("./uilm-HASH.de-DE.js") })[language]());
const a = m(pack$uilm,0)`,
    )
  })

  it('lose the annotations that tree shaking has already used', () => {
    const { code } = cut('const a = /* @__PURE__ */ m(p, "~uilm-key/auth/A");\n')!
    expect(code.slice(code.indexOf('const a'))).toBe('const a = m(pack$uilm,0);\n')
  })

  it('have names that depend only on all of their translations', () => {
    const name = (texts: Files) => cut(chunk, texts)!.packs[0]!.name
    const other = (change: Record<string, string>): Files => ({
      ...files,
      'de-DE/auth': { ...files['de-DE/auth'], ...change },
    })
    expect(name(files)).toBe(name(other({ C: 'drei' })))
    expect(name(files)).not.toBe(name(other({ A: 'Eins' })))
  })

  it('contain the fallback of a missing translation', () => {
    const { packs } = cut('const c = m(p, "~uilm-key/auth/C");')!
    expect(packs[1]!.source).toBe('export default ["three"]\n')
  })

  it('do not exist for a chunk without messages', () => {
    expect(cut('const a = m(p, "~uilm/auth/A")')).toBeUndefined()
  })

  it('throw for a key that is not in the catalog', () => {
    expect(() => cut('const a = m(p, "~uilm-key/auth/GONE")')).toThrow(
      '~uilm-key/auth/GONE is not in the catalog',
    )
  })
})
