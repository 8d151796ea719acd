import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { bytesIn } from '@servicekit/testing/folder'
import { temporaryFolder, write } from './own-files.ts'
import { run } from './run.ts'

const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-16LE with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16LE': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16BE with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'UTF-16BE': (text) => Buffer.from(text, 'utf16le').swap16(),
}

let root: string
beforeEach(async () => {
  for (const name of ['CI', 'SERVICEKIT_URL', 'SERVICEKIT_PROJECT_KEY']) vi.stubEnv(name, '')
  root = await temporaryFolder()
  vi.spyOn(process, 'cwd').mockReturnValue(root)
  await write(root, {
    'servicekit.config.json': '{"localization": {"writeTo": {"folder": "locales"}}}\n',
    'package.json': '{"name": "shop", "type": "module"}\n',
    'locales/en/cart.json': '{\n  "PAY": "Pay",\n  "OLD": "Old"\n}\n',
    'locales/de/cart.json': '{\n  "PAY": "Zahlen",\n  "OLD": "Alt"\n}\n',
    'src/page.ts': "import { PAY } from '~uilm/cart'\nexport const label = PAY()\n",
    'texts.json': '{"cart": {"NEW": "New"}}\n',
    'uilm.keys.json': '{"cart": {"PAY": {"maxLength": 9}}}\n',
    'baseline.json': '{"version": 1, "findings": []}\n',
    'uilm-manifest.json': '{"version": 1}\n',
    'glossary.json': '{"terms": []}\n',
    'schemas.json': '[{"schemaName": "Product", "querySchema": "Products", "fields": []}]\n',
  })
  const pulled = await run(['pull', '--from', 'locales'])
  expect([pulled.code, pulled.stderr]).toEqual([0, ''])
})

const [add, rename, push, compile] = [
  'add cart NEW New',
  'rename cart PAY BUY',
  'push --prune --yes',
  'compile --out messages',
] as const

/** Commands that read each file. */
const readers: Readonly<Record<string, readonly string[]>> = {
  'servicekit.config.json': ['pull', 'check', add, compile],
  'locales/en/cart.json': ['pull --from locales', add, rename, push],
  'uilm/en/cart.json': ['pull --frozen', add, rename, push, 'check', compile],
  'uilm.lock.json': ['pull --frozen', add, rename, push, 'check', compile],
  'uilm.keys.json': [add, rename, push, 'check', compile],
  'src/page.ts': [rename, push, 'check'],
  'texts.json': ['push --texts texts.json'],
  'glossary.json': ['check --glossary glossary.json'],
  'schemas.json': ['codegen --listing schemas.json --out src/data'],
  'baseline.json': ['check --baseline baseline.json'],
  'uilm-manifest.json': ['repack --manifest uilm-manifest.json --out packs --frozen'],
}
const cases = Object.entries(readers).flatMap(([file, commands]) =>
  Object.keys(encodings).map((encoding) => [file, encoding, commands] as const),
)

it.each(cases)(
  '%s in %s is named by each command that reads it',
  async (file, encoding, commands) => {
    const path = join(root, file)
    await writeFile(path, encodings[encoding]!(await readFile(path, 'utf8')))
    const before = await bytesIn(root)
    for (const command of commands) {
      const { code, stdout, stderr } = await run(command.split(' '))
      const output = stdout + stderr
      expect([command, output]).toEqual([command, expect.stringContaining(file)])
      expect([command, output]).toEqual([
        command,
        expect.stringContaining(`it is encoded as ${encoding.slice(0, 8)}; save it as UTF-8`),
      ])
      // Source files are read, so that their keys count as used.
      expect([command, code === 0]).toEqual([
        command,
        command === 'check' && file === 'src/page.ts',
      ])
      expect(await bytesIn(root)).toEqual(before)
    }
  },
)
