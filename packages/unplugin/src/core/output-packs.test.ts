import { SourceMap, type SourceMapping } from 'node:module'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { modelFrom } from '../../test/project.ts'
import { createOutputPacks, outputFile } from './output-packs.ts'

const model = modelFrom({ 'en-US/auth': { A: 'one', B: 'two' }, 'de-DE/auth': { A: 'eins' } })
const source = `const a = make(pack, "~uilm-key/auth/A@0123abcd"), b = make(pack, "~uilm-key/auth/B@4567cdef");
console.log(a(), b());
marker();
`

describe('packs of finished files', () => {
  it('are awaited where the first message is created', () => {
    const files = createOutputPacks([outputFile('/dist/pages/main.js', source)], model)
    const [main, ...packs] = files
    const hash = /uilm-([\da-f]{8})/.exec(packs[0]!.path)![1]!
    expect(main!.text.replaceAll(hash, 'HASH')).toBe(
      'const a = make(pack$uilm = await pack((language) => import(`./uilm-HASH.${language}.js`)),0), b = make(pack$uilm,1);\nconsole.log(a(), b());\nmarker();\nvar pack$uilm;\n',
    )
    expect(packs).toEqual([
      outputFile(`/dist/pages/uilm-${hash}.en-US.js`, 'export default ["one","two"]\n'),
      outputFile(`/dist/pages/uilm-${hash}.de-DE.js`, 'export default ["eins","two"]\n'),
    ])
  })

  it.each([true, 'inline'] as const)('keep source maps correct (%s)', (sourcemap) => {
    const { code, map } = transformSync(source, {
      sourcemap,
      minify: true,
      sourcefile: 'app.js',
      format: 'esm',
      target: 'esnext',
    })
    const comment = sourcemap === true ? '//# sourceMappingURL=main.js.map\n' : ''
    const files = createOutputPacks(
      [
        outputFile('main.js', code + comment),
        ...(sourcemap === true ? [outputFile('main.js.map', map)] : []),
      ],
      model,
    )
    const cut = files[0]!.text
    const given =
      sourcemap === true
        ? files[1]!.text
        : Buffer.from(/base64,(.*)/.exec(cut)![1]!, 'base64').toString()
    const [line, column] = placeOf(cut, 'marker')
    const at = new SourceMap(JSON.parse(given) as never).findEntry(line, column) as SourceMapping
    expect(at).toMatchObject({ originalSource: 'app.js', originalLine: 2, originalColumn: 0 })
    expect((JSON.parse(given) as { sourcesContent: string[] }).sourcesContent).toEqual([source])
  })

  it('do not change files without messages', () => {
    const files = [
      { ...outputFile('logo.png', ''), contents: new Uint8Array([1, 2]) },
      outputFile('a.js', 'console.log(1)'),
      outputFile('style.css', source),
    ]
    expect(createOutputPacks(files, model)).toEqual(files)
  })
})

function placeOf(code: string, text: string): [number, number] {
  const lines = code.slice(0, code.indexOf(text)).split('\n')
  return [lines.length - 1, lines.at(-1)!.length]
}
