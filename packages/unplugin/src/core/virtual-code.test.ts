import { emitProgram, entryNames, runtimeFile } from '@servicekit/catalog'
import { describe, expect, it } from 'vitest'
import { modelFrom } from '../../test/project.ts'
import { parseSpecifier } from './ids.ts'
import { type CodeOptions, virtualCode } from './virtual-code.ts'

const model = modelFrom({
  'en-US/auth': { A: 'one', 'b-c': 'two {{name}}' },
  'de-DE/auth': { A: 'eins' },
})

const code = (specifier: string, more: Partial<CodeOptions> | true = {}) =>
  virtualCode(parseSpecifier(specifier) as Parameters<typeof virtualCode>[0], {
    model,
    storageKey: 'my-language',
    dev: more === true,
    inline: undefined,
    reactive: undefined,
    packAccess: 'binding',
    hot: 'import.meta.hot',
    inspect: { modifier: 'alt', url: undefined, consoles: [] },
    ...(more === true ? {} : more),
  })

describe('virtual modules', () => {
  it('of a message are one pure call, which bundlers can remove', () => {
    expect(code('~uilm-key/auth/A')?.replace(/@[\da-f]{8}"/, '@HASH"'))
      .toBe(`import { message as create } from '~uilm'
import { pack } from '~uilm'
export const message = /* @__PURE__ */ create(pack, "~uilm-key/auth/A@HASH")
`)
  })

  it('of a message change only with its own translations, in any language', () => {
    const codeOf = (german: Record<string, string>) =>
      code('~uilm-key/auth/A', {
        model: modelFrom({ 'en-US/auth': { A: 'one', 'b-c': 'two' }, 'de-DE/auth': german }),
      })
    expect(codeOf({ A: 'eins' })).toBe(codeOf({ A: 'eins', 'b-c': 'zwei' }))
    expect(codeOf({ A: 'eins' })).not.toBe(codeOf({ A: 'Eins' }))
  })

  it('of a message in a build for one language contain its translation', () => {
    const inline = (specifier: string, language: string) => code(specifier, { inline: language })
    expect(inline('~uilm-key/auth/A', 'de-DE')).toBe('export const message = () => "eins"\n')
    expect(inline('~uilm-key/auth/b-c', 'de-DE')).toBe('export const message = a=>"two "+a.name\n')
  })

  it('of a module in a build re-export one module per message', () => {
    expect(code('~uilm/auth')).toBe(`export { message as A } from "~uilm-key/auth/A"
export { message as b$2d_c } from "~uilm-key/auth/b-c"
export { message as "b-c" } from "~uilm-key/auth/b-c"
`)
  })

  it('of a module in development load the whole module in the current language', () => {
    const text = code('~uilm/auth', true)!
    expect(text).toContain('"de-DE": () => import("~uilm-pack/de-DE/auth")')
    expect(text).toContain('$1 = $message("b$2d_c", "b-c")')
    expect(text).toContain('$1 as "b-c"')
  })

  it('of imported keys in development load only these', () => {
    const text = code('~uilm-imported/auth/A', true)!
    expect(text).toContain('$0 = $message("A")')
    expect(text).toContain('export { $0 as A }')
    expect(text).not.toContain('b-c')
    const pack = code('~uilm-pack/de-DE/auth/A', true)!
    expect(pack).toContain('["A"]:"eins"')
    expect(pack).not.toContain('two')
  })

  it('of a pack can be replaced while the page runs', () => {
    const text = code('~uilm-pack/de-DE/auth', true)!
    expect(text).toContain('["A"]:"eins"')
    // Missing German translations fall back to English.
    expect(text).toContain('"two "+a.name')
    expect(text).toContain('import.meta.hot.accept()')
  })

  it('of the project contain the languages and the storage key', () => {
    const text = code('~uilm-runtime/project.js')!
    expect(text).toContain('"my-language"')
    expect(text).toMatch(/"de-DE".*"Language de-DE"/)
    expect(text).toContain('initialLanguage = undefined')
  })

  it('of the project start, in development for one language, with it, and contain all', () => {
    const text = code('~uilm-runtime/project.js', { dev: true, inline: 'de-DE' })!
    expect(text).toContain('initialLanguage = "de-DE"')
    expect(text).toContain('["en-US","de-DE"]')
  })

  it.each([
    ['pages', {}, 'page-runtime'],
    ['servers', { server: true }, 'server-runtime'],
    ['a build for one language', { inline: 'de-DE' }, 'one-language-runtime'],
    ['its development', { inline: 'de-DE', dev: true }, 'page-runtime'],
  ] as const)('of the runtime of %s are those of one file', (_, more, file) => {
    expect(code('~uilm', more)).toBe(code(`~uilm-runtime/${file}.js`, more))
  })

  it('of a file of the runtime are those of the file, which imports others by specifier', () => {
    const text = runtimeFile('time-zone').replaceAll("from './", "from '~uilm-runtime/")
    expect(text).toContain("import { root } from '~uilm-runtime/root.js'")
    expect(code('~uilm-runtime/time-zone.js')).toBe(text)
  })

  it('do not exist for unknown modules and keys', () => {
    expect(code('~uilm/shop')).toBeUndefined()
    expect(code('~uilm-key/auth/GONE')).toBeUndefined()
    expect(code('~uilm-pack/de-DE/shop', true)).toBeUndefined()
  })
})

describe('compiled messages', () => {
  const files = new Map(
    emitProgram(model, {
      outDir: '/out',
      storageKey: 'my-language',
      sync: true,
      i18next: true,
    }).map(({ path, text }) => [path.replaceAll('\\', '/').replace(/^.*\/out\//, ''), text]),
  )

  it.each(['runtime', ...entryNames])('have the code of the plugin: %s', (name) => {
    expect(files.get(`${name}.js`)).toContain(`export * from "./internal$/${name}.js"\n`)
    const file = name === 'runtime' ? 'program-runtime' : (name as (typeof entryNames)[number])
    expect(files.get(`internal$/${file}.js`)).toContain(runtimeFile(file))
    for (const extension of ['cjs', 'd.ts', 'd.cts']) {
      expect(files.get(`${name}.${extension}`)).toEqual(expect.any(String))
    }
  })
})
