import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix, win32 } from 'node:path'
import { fileClash, fileNameOf } from '@servicekit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, hostile } from '../../test/arbitrary.ts'
import {
  hasStringName,
  findByImportName,
  identifierOf,
  importNameOf,
  keyOfIdentifier,
  specifierOf,
} from './names.ts'

/** Imports a module with these lines; fails to parse if a name is not legal. */
const exportsOf = async (lines: readonly string[]): Promise<Record<string, unknown>> => {
  const source = `data:text/javascript,${encodeURIComponent(lines.join('\n'))}`
  return (await import(/* @vite-ignore */ source)) as Record<string, unknown>
}

describe('identifierOf', () => {
  it.each([
    ['SIGN_IN', 'SIGN_IN'],
    ['größe', 'größe'],
    ['লগইন', 'লগইন'],
    ['sort-by-price', 'sort$2d_by$2d_price'],
    ['a.b c', 'a$2e_b$20_c'],
    ['404_TITLE', '$$404_TITLE'],
    ['delete', 'delete$'],
    ['delete$', 'delete$24_'],
    ['then', 'then$'],
    ['', '$$'],
    ['$', '$24_'],
    ['__proto__', '__proto__'],
    ['\ud83d\ude00', '$d83d_$de00_'],
  ])('converts %j to %s', (key, name) => {
    expect(identifierOf(key)).toBe(name)
  })

  it('never returns the same name for two keys', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText, { maxLength: 60 }), (keys) => {
        expect(new Set(keys.map(identifierOf)).size).toBe(keys.length)
      }),
      { numRuns: 500 },
    )
  })

  it('returns a different declarable name for every code unit', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
    const names = units.map(identifierOf)
    expect(new Set(names).size).toBe(units.length)
    const declared = names.map((name) => `const ${name} = 1`).join('\n')
    expect(() => new Function(`'use strict'\n${declared}`)).not.toThrow()
    const inside = units.map((unit) => `const ${identifierOf(`x${unit}`)} = 1`).join('\n')
    expect(() => new Function(`'use strict'\n${inside}`)).not.toThrow()
  })

  it('returns names that a module can export, and never `then`', async () => {
    const words =
      'await async of get set static let yield implements package eval arguments undefined NaN ' +
      'Infinity globalThis null true this super import export default enum class function var ' +
      'const typeof void with new in instanceof then catch finally do if else for while switch ' +
      'case break continue return throw try debugger delete extends interface private protected ' +
      'public Object Promise Symbol module require exports'
    const keys = [...new Set([...words.split(' '), ...hostile])]
    const lines = keys.map((key, index) => `export const ${identifierOf(key)} = ${index}`)
    const exported = await exportsOf(lines)
    keys.forEach((key, index) => expect(exported[identifierOf(key)]).toBe(index))
    expect(exported).not.toHaveProperty('then')
  })
})

describe('keyOfIdentifier', () => {
  it('returns the key of every name', () => {
    fc.assert(
      fc.property(anyText, (key) => {
        expect(keyOfIdentifier(identifierOf(key))).toBe(key)
      }),
      { numRuns: 500 },
    )
    for (const key of ['', 'then', '404', '-', '$a', 'delete$', 'a$2d_b', 'größe-x', '\u2028']) {
      expect(keyOfIdentifier(identifierOf(key)), key).toBe(key)
    }
  })

  it('returns a name that no key has', () => {
    for (const name of ['a$b', 'a$2D_', '$$a', 'a$', 'a$$', '$61_']) {
      expect(keyOfIdentifier(name)).toBe(name)
    }
  })
})

describe('hasStringName', () => {
  it('allows keys and names to be exported by the same module', async () => {
    const sample = fc.sample(fc.uniqueArray(anyText, { minLength: 20, maxLength: 60 }), 30)
    for (const keys of [...sample, [...hostile]]) {
      const lines = keys.flatMap((key, index) => {
        const name = identifierOf(key)
        const own = `export const ${name} = ${index}`
        return name !== key && hasStringName(key)
          ? [own, `export { ${name} as ${JSON.stringify(key)} }`]
          : [own]
      })
      const exported = await exportsOf(lines)
      const named = keys.filter(hasStringName)
      expect(named.map((key) => exported[key])).toEqual(named.map((key) => keys.indexOf(key)))
    }
  })

  it('is true exactly for keys that can be imported', () => {
    for (const key of ['a-b', 'a.b', '404', 'delete', 'sort by price', '', 'a-$', '$-']) {
      expect(hasStringName(key), key).toBe(true)
    }
    for (const key of ['then', 'default', '__proto__', '\ud800', 'delete$', '$$404']) {
      expect(hasStringName(key), key).toBe(false)
    }
  })
})

/** Returns the file name as a case-insensitive file system compares it. */
const folded = (name: string): string => fileNameOf(name.normalize().toLowerCase()).toLowerCase()

describe('fileNameOf', () => {
  it.each([
    ['auth', 'auth'],
    ['de-DE', 'de-DE'],
    ['auth.v2', 'auth.v2'],
    ['my texts', 'my%20texts'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['../../x', '%2E.%2F..%2Fx'],
    ['..', '%2E%2E'],
    ['.git', '%2Egit'],
    ['a.', 'a%2E'],
    ['con', '%63on'],
    ['com1', '%63om1'],
    ['lpt9.x', '%6Cpt9.x'],
    ['node_modules', '%6Eode_modules'],
    ['node_modules_2', 'node_modules_2'],
    ['falcon', 'falcon'],
    ['comx', 'comx'],
    ['lptx', 'lptx'],
    ['NUL.txt', '%4EUL.txt'],
    ['a*b', 'a%2Ab'],
    ['', '%'],
    ['a'.repeat(180), 'a'.repeat(180)],
    ['a'.repeat(181), `${'a'.repeat(150)}%~985984d84cad8ec2`],
    // The hash of this one begins with 0.
    ['ä'.repeat(219), `${'%C3%A4'.repeat(25)}%~0eebfb43d0cdfb05`],
  ])('converts %j to %s', (name, file) => {
    expect(fileNameOf(name)).toBe(file)
  })

  it('never returns the same file for two names', () => {
    const whole = anyText.filter((text) => !/\p{Surrogate}/u.test(text))
    fc.assert(
      fc.property(fc.uniqueArray(whole, { maxLength: 60 }), (names) => {
        expect(new Set(names.map(fileNameOf)).size).toBe(names.length)
      }),
      { numRuns: 500 },
    )
  })

  it('returns a valid, visible and short name for every file system', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const file = fileNameOf(name)
        expect(file).toMatch(/^[\w%~-](?:[\w.%~-]*[\w%~-])?$/)
        expect(Buffer.byteLength(file)).toBeLessThan(200)
        for (const path of [posix, win32]) {
          expect(path.basename(file)).toBe(file)
          expect(path.join('root', file)).toBe(`root${path.sep}${file}`)
          expect(path.isAbsolute(file)).toBe(false)
        }
        expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i)
      }),
      { numRuns: 1000 },
    )
  })

  it('returns names of files that can be written and read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-names-'))
    try {
      for (const name of hostile) await writeFile(join(folder, `${fileNameOf(name)}.json`), name)
      const files = new Set(hostile.map((name) => `${fileNameOf(name)}.json`))
      expect(new Set(await readdir(folder))).toEqual(files)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

it('a specifier of a module is below ~uilm, and finds it unless it is a built-in entry', () => {
  const modules = [{ name: 'server' }, { name: 'auth' }]
  expect(modules.map(({ name }) => specifierOf(name))).toEqual(['~uilm/server$', '~uilm/auth'])
  expect(
    ['server', 'server$', 'auth'].map((name) => findByImportName(modules, name)?.name),
  ).toEqual([undefined, 'server', 'auth'])
})

describe('importNameOf', () => {
  it.each([
    ['auth', 'auth'],
    ['my texts', 'my texts'],
    ['größe', 'größe'],
    ['ß', 'ß'],
    ['খবর', 'খবর'],
    ['auth.v2', 'auth.v2'],
    ['shop/cart', 'shop/cart'],
    ['server', 'server$'],
    ['React', 'React$'],
    ['server/react', 'server/react'],
    ['shop/messages', 'shop/messages$'],
    ['shop/cart/messages', 'shop/cart/messages$'],
    [`shop/${'a'.repeat(175)}`, `shop/${'a'.repeat(175)}`],
    [`shop/${'a'.repeat(176)}`, fileNameOf(`shop/${'a'.repeat(176)}`)],
    ['messages', 'messages'],
    ['server$', 'server%24'],
    ['../x', '%2E%2E/x'],
    ['a//b', 'a/%/b'],
    ['..', '%2E%2E'],
    ['.git', '%2Egit'],
    [' a', '%20a'],
    ['a ', 'a%20'],
    ['a*', 'a%2A'],
    ['con', '%63on'],
    ['', '%'],
    ['\ud800', '%EF%BF%BD'],
  ])('converts %j to %s', (module, name) => {
    expect(importNameOf(module)).toBe(name)
  })

  it('returns a valid path that identifies the module', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyText, { maxLength: 20, selector: fileNameOf }),
        (translations) => {
          const modules = translations.map((name) => ({ name }))
          for (const module of modules) {
            const name = importNameOf(module.name)
            expect(findByImportName(modules, name)).toBe(module)
            for (const segment of name.split('/')) {
              expect(segment).not.toMatch(/[\\:*?"<>|]|^[. ]|[. ]$|\p{C}|^$/u)
              expect(Buffer.byteLength(segment)).toBeLessThan(200)
            }
            expect(Buffer.byteLength(name)).toBeLessThan(600)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('fileClash', () => {
  it('finds names that differ only in case', () => {
    expect(fileClash(['auth', 'cart', 'Auth'])).toEqual(['auth', 'Auth'])
    expect(fileClash(['a\ud800', 'a\udfff'])).toEqual(['a\ud800', 'a\udfff'])
    expect(fileClash(['ä', 'a', 'auth', 'auth2', 'auth'])).toBeUndefined()
    expect(fileClash(['Ä', 'ä'])).toEqual(['Ä', 'ä'])
    expect(fileClash(['k', '\u212a'])).toEqual(['k', '\u212a'])
    expect(fileClash(['\u00fc', 'u\u0308'])).toEqual(['\u00fc', 'u\u0308'])
  })

  it('finds a clash exactly if there is one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText, { maxLength: 20 }), (names) => {
        const clash = fileClash(names)
        expect(clash === undefined).toBe(new Set(names.map(folded)).size === names.length)
        expect(folded(clash?.[0] ?? '')).toBe(folded(clash?.[1] ?? ''))
      }),
    )
  })
})
