import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogOptions, openProject, openWriter } from '@servicekit/catalog'
import { describe, expect, it, vi } from 'vitest'
import { rename } from '../src/index.ts'
import { runChild } from '@servicekit/testing/child-program'
import { filesIn, temporaryFolder } from '@servicekit/testing/folder'
import { isDeep } from '@servicekit/testing/is-deep'

vi.setConfig({ testTimeout: isDeep ? 900_000 : 240_000 })

/** Renames a key, and kills the process before its n-th change of a file. */
const script = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const [options, keys, killAt] = process.argv.slice(1).map((text) => JSON.parse(text))
let isStarted = false
let changes = 0
const count = (target, name) => {
  const real = target[name]
  target[name] = (...args) => {
    // A process killed before it reads leaves the same files as one killed before its next change.
    const isRead = name.startsWith('open') && !/[wa+]/.test(args[1] ?? 'r')
    if (isStarted && !isRead && ++changes === killAt) process.kill(process.pid, 'SIGKILL')
    return real(...args)
  }
}
for (const name of ['mkdir', 'open', 'rename', 'rm', 'rmdir', 'writeFile']) count(fs.promises, name)
for (const name of ['mkdirSync', 'openSync', 'renameSync', 'rmSync', 'writeFileSync']) count(fs, name)
syncBuiltinESMExports()
const { openProject } = await import('../src/index.ts')
const { rename } = await import('../../check/src/index.ts')
const project = openProject(options, { environment: {} })
isStarted = true
await rename({ project, module: 'cart', ...keys, sources: ['src'] })`

/** Creates a folder of translations, which is the target of new keys. */
async function createTarget(): Promise<CatalogOptions> {
  const from = await temporaryFolder()
  for (const [language, text] of Object.entries({ 'en-US': 'Pay', 'de-DE': 'Zahlen' })) {
    await mkdir(join(from, language))
    await writeFile(join(from, language, 'cart.json'), JSON.stringify({ PAY: text }))
  }
  return { from }
}

describe('renaming a key of a folder', () => {
  it('is completed by a second run, wherever the process was killed', async () => {
    const options = { ...(await createTarget()), root: await temporaryFolder() }
    const { root } = options
    const project = openProject(options, { environment: {} })
    await project.pull({ types: true })
    const codeOf = (key: string) => `import { ${key} } from '~uilm/cart'\n${key}()\n`
    const files = ['a', 'b', 'c'].map((name) => join(root, 'src', `${name}.ts`))
    await mkdir(join(root, 'src'))
    for (const file of files) await writeFile(file, codeOf('PAY'))
    const call = { language: 'en-US', signal: new AbortController().signal }

    let from = 'PAY'
    let kills = 0
    for (let killAt = 1; ; killAt += isDeep ? 1 : 12) {
      const to = `PAY_${killAt}`
      const keys = { from, to }
      const args = [options, keys, killAt].map((one) => JSON.stringify(one))
      const [code, signal] = (await once(runChild(script, args), 'close')) as [number, string]
      expect([0, null]).toContain(code)
      if (signal === null) break
      kills++
      // Every file is the old or the new one.
      for (const file of files) {
        expect([codeOf(from), codeOf(to)]).toContain(await readFile(file, 'utf8'))
      }
      for (const file of await filesIn(root)) {
        if (file.endsWith('.json')) JSON.parse(await readFile(join(root, file), 'utf8'))
      }
      const outcome = await rename({ project, module: 'cart', ...keys, sources: ['src'] }).then(
        ({ written }) => (written ? 'completed' : 'not written'),
        // The first run was killed after its last change.
        (error: unknown) => String(error).split('.')[0]!,
      )
      expect(['completed', `ConfigError: Unknown key "${from}"`]).toContain(outcome)

      for (const file of files) expect(await readFile(file, 'utf8')).toBe(codeOf(to))
      const listed = (await openWriter(project.options).list(call)).map(({ key }) => key)
      expect(listed).toContain(to)
      expect(listed).not.toContain(from)
      const model = await project.load()
      const { translations } = model.catalog.modules.find(({ name }) => name === 'cart')!
      for (const [language, text] of [
        ['en-US', 'Pay'],
        ['de-DE', 'Zahlen'],
      ] as const) {
        expect(translations.get(language)?.get(to)).toBe(text)
        expect(translations.get(language)?.has(from)).toBe(false)
      }
      // A pull finds the same keys.
      await project.pull()
      expect((await project.load()).catalog.modules).toEqual(model.catalog.modules)
      from = to
    }
    expect(kills).toBeGreaterThan(2)
    expect(
      (await filesIn(root)).filter((file) => /(?:^|\/)(?:rename\.json$|lock-)/.test(file)),
    ).toEqual([])
  })
})
