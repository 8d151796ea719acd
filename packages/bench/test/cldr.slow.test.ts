import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolders, temporaryFolder } from '../lib/temporary-folder.mjs'

afterAll(removeFolders)

const script = fileURLToPath(new URL('../../../fixtures/projects/cldr/make.mjs', import.meta.url))
const make = (languages: number): string => {
  const folder = temporaryFolder()
  const args = [script, '--languages', String(languages), '--out', folder]
  execFileSync(process.execPath, args, { stdio: 'ignore' })
  return folder
}
const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const digest = (folder: string): string => {
  const sum = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) sum.update(file.slice(folder.length)).update(readFileSync(file))
  return sum.digest('hex')
}

describe('the CLDR project', () => {
  let folder: string
  beforeAll(() => (folder = make(100)))

  it('has 100 languages, English first, and the same keys in each', () => {
    const codes = read(folder, 'languages.json').map(
      ({ languageCode }: { languageCode: string }) => languageCode,
    )
    expect(codes).toHaveLength(100)
    expect(codes[0]).toBe('en')
    const keys = Object.keys(read(folder, 'uilm/en/languages.json'))
    expect(keys.length).toBeGreaterThan(600)
    for (const code of codes) {
      expect(Object.keys(read(folder, `uilm/${code}/languages.json`))).toEqual(keys)
    }
  })

  it('has real translations, parameters, keys that are not identifiers and missing translations', () => {
    expect(read(folder, 'uilm/de/languages.json')).toMatchObject({
      LANGUAGE_DE_AT: 'Österreichisches Deutsch',
    })
    expect(read(folder, 'uilm/de/localeDisplayNames.json')).toMatchObject({
      LOCALE_DISPLAY_PATTERN_LOCALE_PATTERN: '{{0}} ({{1}})',
    })
    expect(read(folder, 'uilm/de/variants.json')).toHaveProperty('1901')
    expect(read(folder, 'uilm/af/variants.json')).toMatchObject({ 1901: '[ KEY MISSING ]' })
  })

  it('is the same every time', () => {
    expect(digest(make(100))).toBe(digest(folder))
  })
})
