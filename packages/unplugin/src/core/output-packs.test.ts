import { SourceMap, type SourceMapping } from 'node:module'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { modelFrom } from '../../test/project.ts'
import { cutOutput } from './output-packs.ts'

const model = modelFrom({ 'en-US/auth': { A: 'one', B: 'two' }, 'de-DE/auth': { A: 'eins' } })
const source = `const a = make(pack, "~uilm-key/auth/A@0123abcd"), b = make(pack, "~uilm-key/auth/B@4567cdef");
console.log(a(), b());
marker();
`

describe('packs of finished files', () => {
  it('are loaded where the first message is made', () => {
    const files = cutOutput([{ path: '/dist/pages/main.js', contents: source }], model)
    const [main, ...packs] = files
    const hash = /uilm-([\da-f]{8})/.exec(packs[0]!.path)![1]!
    expect(String(main!.contents).replaceAll(hash, 'HASH')).toBe(
      'const a = make(texts$uilm = await pack((language) => import(`./uilm-HASH.${language}.js`)), 0), b = make(texts$uilm, 1);\nconsole.log(a(), b());\nmarker();\nvar texts$uilm;\n',
    )
    expect(packs).toEqual([
      { path: `/dist/pages/uilm-${hash}.en-US.js`, contents: 'export default ["one","two"]\n' },
      { path: `/dist/pages/uilm-${hash}.de-DE.js`, contents: 'export default ["eins","two"]\n' },
    ])
  })

  it.each([true, 'inline'] as const)('keep source maps right (%s)', (sourcemap) => {
    const { code, map } = transformSync(source, {
      sourcemap,
      minify: true,
      sourcefile: 'app.js',
      format: 'esm',
      target: 'esnext',
    })
    const comment = sourcemap === true ? '//# sourceMappingURL=main.js.map\n' : ''
    const files = cutOutput(
      [
        { path: 'main.js', contents: code + comment },
        ...(sourcemap === true ? [{ path: 'main.js.map', contents: map }] : []),
      ],
      model,
    )
    const cut = String(files[0]!.contents)
    const given =
      sourcemap === true
        ? String(files[1]!.contents)
        : Buffer.from(/base64,(.*)/.exec(cut)![1]!, 'base64').toString()
    const [line, column] = placeOf(cut, 'marker')
    const at = new SourceMap(JSON.parse(given) as never).findEntry(line, column) as SourceMapping
    expect(at).toMatchObject({ originalSource: 'app.js', originalLine: 2, originalColumn: 0 })
    expect((JSON.parse(given) as { sourcesContent: string[] }).sourcesContent).toEqual([source])
  })

  it('leave files without messages as they are', () => {
    const files = [
      { path: 'a.js', contents: new Uint8Array([1, 2]) },
      { path: 'style.css', contents: source },
    ]
    expect(cutOutput(files, model)).toEqual(files)
  })
})

function placeOf(code: string, text: string): [number, number] {
  const lines = code.slice(0, code.indexOf(text)).split('\n')
  return [lines.length - 1, lines.at(-1)!.length]
}
