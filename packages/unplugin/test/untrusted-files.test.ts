import { readFile, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { bundlers } from './bundlers.ts'
import { removeFolders, temporaryFolder, writeApp } from './project.ts'

// Runs bundlers on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

afterAll(removeFolders)

const hashOf = (text: string): string =>
  `1 sha256-${createHash('sha256').update(text).digest('base64url')}`

describe.each(Object.entries(bundlers))('a frozen build of %s', (_, build) => {
  it('refuses a committed language that is a path, and writes nothing outside', async () => {
    const world = await temporaryFolder()
    const root = join(world, 'a/b')
    const text = '{\n  "BUY": "Buy"\n}\n'
    const language = '/../../../victim'
    await writeApp(root, {
      'package.json': '{"type": "module"}',
      'src/main.js': `import { BUY } from '~uilm/shop'\nexport const text = BUY()\n`,
      'uilm/en/shop.json': text,
      [`uilm/${encodeURIComponent(language).replace(/^\./, '%2E')}/shop.json`]: text,
      'uilm.lock.json': JSON.stringify({
        version: 1,
        defaultLanguage: 'en',
        languages: { en: 'English', [language]: 'Other' },
        modules: ['shop'],
        files: {
          'en/shop.json': hashOf(text),
          [`${encodeURIComponent(language)}/shop.json`]: hashOf(text),
        },
      }),
    })
    const victims = ['victim.js', 'a/victim.js', 'a/b/victim.js'].map((one) => join(world, one))
    for (const victim of victims) await writeFile(victim, 'precious')
    await expect(build(root, {})).rejects.toThrow('invalid language code "/../../../victim"')
    for (const victim of victims) expect(await readFile(victim, 'utf8')).toBe('precious')
  })
})
