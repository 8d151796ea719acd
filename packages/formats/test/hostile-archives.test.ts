import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readTranslations } from '../src/index.ts'

const options = { languages: ['de', 'en'] }
const text = strToU8('{"A": "a"}')
const read = (files: Parameters<typeof zipSync>[0]) =>
  readTranslations({ path: 'texts.zip', bytes: zipSync(files) }, options)

it.each([
  ['/etc/de/shop.json', 'de', 'shop'],
  ['C:\\texts\\de\\shop.json', 'de', 'shop'],
  ['__proto__/de.json', 'de', '__proto__'],
  ['de/__proto__.json', 'de', '__proto__'],
  ['de/%2e%2e%2fvictim.json', 'de', '%2e%2e%2fvictim'],
])(
  'takes from the name %s in an archive only a language and a module',
  async (name, language, module) => {
    const [file, ...others] = await read({ [name]: text })
    expect(others).toEqual([])
    expect(file).toMatchObject({
      path: `texts.zip/${name}`,
      entries: [{ key: 'A', value: 'a', language, module }],
    })
  },
)

it.each(['../../de/shop.json', 'de/../../../en/shop.json', '.git/de/shop.json'])(
  'does not read %s, which is outside of the archive or hidden',
  async (name) => {
    await expect(read({ [name]: text })).rejects.toThrow('it contains no translation file')
  },
)

it('reads a symbolic link in an archive as a text, which is no JSON', async () => {
  const link = { os: 3, attrs: (0o120777 << 16) >>> 0 } as const
  await expect(read({ 'de/shop.json': [strToU8('../../../etc/passwd'), link] })).rejects.toThrow(
    /Cannot read de\/shop\.json/,
  )
})

it('reads one of two files with the same name', async () => {
  const bytes = zipSync({ 'de/a.json': text, 'de/b.json': strToU8('{"A": "b"}') })
  for (const [at, byte] of bytes.entries()) {
    // Renames the second file in its header and in the directory.
    if (byte === 98 && Buffer.from(bytes.subarray(at - 3, at + 6)).toString() === 'de/b.json') {
      bytes[at] = 97
    }
  }
  const found = await readTranslations({ path: 'texts.zip', bytes }, options)
  expect(found).toHaveLength(1)
})
