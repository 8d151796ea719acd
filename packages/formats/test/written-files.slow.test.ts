import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { requiredPackages } from '@servicekit/testing/debian-packages'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FormatName, type Message, writeTranslations } from '../src/index.ts'
import {
  controls,
  hostileParts,
  languages,
  messagesOf,
  sourceLanguage,
} from './hostile-messages.ts'

/** Returns whether a program of another project is installed. */
const isMissing = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args).status !== 0

const python = '/usr/bin/python3'
const missing = await requiredPackages(
  ['gettext', 'libxml2-utils', 'aapt', 'python3-openpyxl'],
  () =>
    !isMissing('msgfmt', '--version') &&
    !isMissing('xmllint', '--version') &&
    !isMissing('aapt', 'version') &&
    !isMissing(python, '-c', 'import openpyxl'),
)
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const samples = fc
  .sample(messagesOf(hostileParts, 60), { numRuns: 3, seed: 39 })
  .map((messages): readonly Message[] => messages)

/** Writes a sample, and returns the paths of its files. */
async function write(format: FormatName, messages: readonly Message[], name: string) {
  const files = await writeTranslations(format, { messages, languages, sourceLanguage })
  return files.map(({ path, content }) => {
    const full = join(folder, name, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, content)
    return full
  })
}

describe.skipIf(missing)('files that are written, read by programs of others', () => {
  it('are valid PO for msgfmt', async () => {
    for (const [index, messages] of samples.entries()) {
      for (const path of await write('po', messages, `po-${index}`)) {
        const { status, stderr } = spawnSync('msgfmt', ['-o', '/dev/null', '-v', path])
        expect([status, String(stderr)]).toEqual([0, expect.stringMatching(/\d+ translated/)])
      }
    }
  })

  it('are well-formed XML for xmllint', async () => {
    for (const format of ['xliff', 'xliff2', 'android', 'apple'] as const) {
      const paths = (await write(format, samples[0]!, format)).filter(
        (path) => !path.endsWith('.strings'),
      )
      const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', ...paths])
      expect([format, status, String(stderr)]).toEqual([format, 0, ''])
    }
  })

  it('are resources that Android compiles', async () => {
    // This compiler of Android, unlike its successor, refuses several placeholders in a plural.
    const isRefused = ({ key, texts }: Message) =>
      /_(?:one|few|other)$/.test(key) &&
      [...texts.values()].some((text) => text.split('%').length > 2)
    const refused = new Set(
      samples[0]!.filter(isRefused).map(({ key }) => key.replace(/_[a-z]+$/, '')),
    )
    const messages = samples[0]!.filter(({ key }) => !refused.has(key.replace(/_[a-z]+$/, '')))
    await write('android', messages, 'app/res')
    const manifest = join(folder, 'app/AndroidManifest.xml')
    writeFileSync(
      manifest,
      '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b"/>',
    )
    const output = join(folder, 'app.apk')
    const args = ['package', '-f', '-M', manifest, '-S', join(folder, 'app/res'), '-F', output]
    const { status, stderr } = spawnSync('aapt', args)
    expect([status, String(stderr)]).toEqual([0, expect.not.stringContaining('error')])
    const dump = execFileSync('aapt', ['dump', '--values', 'resources', output], {
      maxBuffer: 2 ** 28,
    })
    const message = messages.find(({ texts }) => /^[\w ]+$/.test(texts.get('de-DE') ?? ''))
    expect(String(dump)).toContain(`"${message!.texts.get('de-DE')}"`)
  })

  it('are workbooks that openpyxl reads, with texts and no formulas', async () => {
    const messages = fc.sample(messagesOf([...hostileParts, ...controls], 60), {
      numRuns: 1,
      seed: 7,
    })[0]!
    const [path] = await write('xlsx', messages, 'xlsx')
    const program = `
import json, sys, openpyxl
sheet = openpyxl.load_workbook(sys.argv[1]).active
print(json.dumps([[[cell.data_type, cell.value] for cell in row] for row in sheet.iter_rows()]))`
    const output = execFileSync(python, ['-c', program, path!], { maxBuffer: 2 ** 28 })
    const rows = JSON.parse(String(output)) as [string, string | null][][]
    expect(rows.length).toBe(messages.length + 1)
    expect(new Set(rows.flat().map(([type]) => type)).has('f')).toBe(false)
    expect(rows[0]!.map(([, value]) => value)).toEqual(['module', 'key', ...languages])
  })
})
