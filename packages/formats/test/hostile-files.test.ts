import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readTranslations } from '../src/index.ts'
import { isZip } from '../src/unzip.ts'

const read = (path: string, content: string | Uint8Array) =>
  readTranslations(
    { path, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content },
    { languages: ['en-US', 'de-DE'] },
  )

/** Returns the message of the error, with its details. */
const errorOf = (path: string, content: string | Uint8Array): Promise<string> =>
  read(path, content).then(
    () => 'no error',
    (error: Error) => error.message,
  )

const entities = (body: string) => `<!DOCTYPE x [${body}]>`
const xliff = (text: string) =>
  `<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body><trans-unit id="A"><source>a</source>\n<target>${text}</target></trans-unit></body></file></xliff>`

describe('hostile files', () => {
  it('expands no entities of a DTD, and names the place', async () => {
    const bomb = entities('<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">')
    expect(await errorOf('a.xlf', bomb + xliff('&b;'))).toMatch(
      /^Cannot read a\.xlf: it is not valid XML: Named entity isn't defined: &b;\n {2}file: a\.xlf\n {2}line: 2\n[^]*entities of a DTD are not expanded/,
    )
  })

  it('loads no external entity', async () => {
    const external = entities('<!ENTITY x SYSTEM "file:///etc/passwd">')
    const resources = '<resources><string name="a">&x;</string></resources>'
    expect(await errorOf('strings.xml', external + resources)).toContain("isn't defined: &x;")
  })

  it.each([
    ['a.json', `${'{"a":'.repeat(100_000)}"b"${'}'.repeat(100_000)}`],
    ['a.yaml', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a.xlf', `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`],
    [
      'a.po',
      `msgid ""\nmsgstr ""\n"Language: de\\n"\n"Plural-Forms: nplurals=2; plural=${'('.repeat(100_000)}\\n"\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "d"\n`,
    ],
  ])('refuses deep nesting in %s', async (path, content) => {
    expect(await errorOf(path, content)).toMatch(/nested too deeply/)
  })

  it('refuses aliases of YAML that multiply without end', async () => {
    const levels = Array.from({ length: 30 }, (_, level) =>
      level === 0
        ? 'a0: &a0 {x: y}'
        : `a${level}: &a${level} {b: *a${level - 1}, c: *a${level - 1}}`,
    )
    expect(await errorOf('a.yaml', levels.join('\n'))).toContain('too many nodes')
  })

  it.each(['a.json', 'a.yaml', 'a.arb', 'a.xcstrings'])(
    'reads __proto__ and constructor as keys in %s',
    async (path) => {
      const text = (value: string) =>
        path === 'a.xcstrings'
          ? `{"localizations": {"de": {"stringUnit": {"value": "${value}"}}}}`
          : `"${value}"`
      const pairs = `"__proto__": ${text('x')}, "constructor": ${text('y')}`
      const content =
        path === 'a.xcstrings' ? `{"sourceLanguage": "de", "strings": {${pairs}}}` : `{${pairs}}`
      const [file] = await read(path, content)
      expect(file!.entries.map(({ key, value }) => [key, value])).toEqual([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ])
      expect(({} as { x?: unknown }).x).toBeUndefined()
    },
  )

  it('refuses an archive that is larger than it announces, before it fills the memory', async () => {
    const zeros = new Uint8Array(1000)
    const honest = zipSync({ 'a.json': zeros })
    // The size in the central directory, 24 bytes behind its signature.
    const directory = Buffer.from(honest).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const lying = Buffer.from(honest)
    lying.writeUInt32LE(4_000_000_000, directory + 24)
    expect(await errorOf('a.zip', lying)).toContain('it contains more than 200 MB')
    lying.writeUInt32LE(10, directory + 24)
    expect(await errorOf('a.zip', lying)).not.toBe('no error')
    expect(isZip(gzipSync('a'))).toBe(false)
  })

  it('refuses a workbook that expands to more than 200 MB', async () => {
    const part = new Uint8Array(101_000_000)
    const bomb = zipSync(
      { 'xl/workbook.xml': part, 'xl/worksheets/sheet1.xml': part },
      { level: 9 },
    )
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await errorOf('a.xlsx', bomb)).toContain('it contains more than 200 MB')
  })

  it.each([
    ['a.json', '{"A": "a",\n "B": }', 'line: 2'],
    ['a.yaml', 'A: a\nB: "b', 'line: 2'],
    ['a.csv', 'module,key,de\na,B,"c', 'line: 2'],
    ['a.csv', 'name of the thing,de\na,b', 'no column has the keys'],
    ['a.po', 'msgid "a"\nmsgstr "b', 'line: 2'],
    ['a.strings', '"a" = "b";\n"c" "d";', 'line: 2'],
    ['a.properties', 'a=b\nc=\\u12', 'line: 2'],
    [
      'a.xml',
      '<resources>\n<plurals name="a"><item quantity="x">b</item></plurals></resources>',
      'line: 2',
    ],
    ['a.xlf', '<html>\n</html>', 'its root is html'],
    ['a.stringsdict', '<plist/>', 'it is not a property list'],
    ['a.xcstrings', '{}', 'it is not a string catalog'],
    ['a.xlsx', 'module,key', 'it is not a workbook'],
    ['a.doc', 'text', 'its extension is not that of a translation file'],
    ['a.zip', 'PK\u0003\u0004', 'it is a damaged ZIP archive'],
  ])('says which file is wrong, where, and how to fix it: %s %#', async (path, content, where) => {
    const message = await errorOf(path, content)
    expect(message).toContain(`Cannot read ${path}: `)
    expect(message).toContain(where)
    expect(message.split('\n').at(-1)).toMatch(/^[A-Z].*\.$/)
  })
})
