import { mkdirSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceFiles } from '../src/files/replace-files.ts'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

const languages = ['en-US', 'de-DE']
const filesWith = (modules: readonly string[], text: string): Record<string, unknown> =>
  Object.fromEntries(
    languages.flatMap((language) =>
      modules.map((module) => [`${language}/${module}`, { A: text, [`B_${text}`]: 'b' }]),
    ),
  )
const before = filesWith(['auth', 'cart', 'gone'], 'before')
const after = filesWith(['auth', 'cart', 'server', 'shop/new'], 'after')

/** Creates a project that was pulled once, and its service. */
async function pulled() {
  const root = await temporaryFolder()
  const service = fakeService(before)
  service.served.sendsEtags = true
  const project = projectOver(service.fetch, { root })
  await project.pull({ types: true })
  const next = fakeService(after).served
  Object.assign(service.served, { modules: next.modules, files: next.files })
  return { root, service, project }
}

/** Returns the files that the next pull writes or removes. */
async function touchedFiles(): Promise<readonly string[]> {
  const { root, project } = await pulled()
  const old = await bytesIn(root)
  await project.pull({ types: true })
  const now = await bytesIn(root)
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    // Only files are removed, so that a folder instead of an old declaration stays.
    (file) => old[file] !== now[file] && (file in now || !file.startsWith('.servicekit')),
  )
}

type Pulled = Awaited<ReturnType<typeof pulled>>

/** Makes the next pull fail at a `step`. A step beyond the last one never occurs. */
const faults: Readonly<Record<string, (pulled: Pulled, step: number) => Promise<void>>> = {
  async 'refuses a request'({ service }, step) {
    let asked = 0
    service.served.instead = () =>
      asked++ === step ? new Response('no', { status: 403 }) : undefined
  },
  async 'breaks off an answer'({ service }, step) {
    let asked = 0
    service.served.instead = () => (asked++ === step ? new Response('{"A": "cut o') : undefined)
  },
  async 'sends no translations for a known file'({ service }, step) {
    service.served.files.delete([...service.served.files.keys()][step % 4]!)
  },
  async 'lists two modules of one name'({ service }) {
    service.served.modules = [{ moduleName: 'auth' }, { moduleName: 'Auth' }]
  },
  async 'lists what is no language'({ service }) {
    service.served.languages = [{ languageCode: '../..', languageName: 'x', isDefault: true }]
  },
}

const outcomeOf = (pulling: Promise<unknown>): Promise<string> =>
  pulling.then(
    () => 'pulled',
    (error: Error & { code?: unknown }) =>
      typeof error.code === 'string' ? error.code : error.name,
  )

describe('a failed pull changes no file', () => {
  it('if the service fails at any step', { timeout: 60_000 }, async () => {
    let failed = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(faults)),
        fc.nat({ max: 12 }),
        async (fault, step) => {
          const all = await pulled()
          await faults[fault]!(all, step)
          const state = await bytesIn(all.root)
          const outcome = await outcomeOf(all.project.pull({ types: true }))
          if (outcome === 'pulled') return
          failed++
          expect(await bytesIn(all.root)).toEqual(state)
        },
      ),
      { numRuns: 60 },
    )
    expect(failed).toBeGreaterThan(30)
  })

  it('if any file cannot be written', { timeout: 60_000 }, async () => {
    const touched = await touchedFiles()
    expect(touched).toEqual(
      expect.arrayContaining([
        'uilm/de-DE/auth.json',
        'uilm/de-DE/gone.json',
        'uilm.lock.json',
        '.servicekit/types/uilm/auth.d.ts',
        '.servicekit/types/uilm/shop/new.d.ts.map',
        '.servicekit/types/uilm/i18next.d.ts',
      ]),
    )
    for (const file of touched) {
      const { root, project } = await pulled()
      // A folder that is not empty can neither be replaced by a rename nor removed by
      // unlink.
      await rm(join(root, file), { force: true })
      await mkdir(join(root, file), { recursive: true })
      await writeFile(join(root, file, 'here'), 'first')
      const state = await bytesIn(root)
      const outcome = await outcomeOf(project.pull({ types: true }))
      expect([file, outcome]).toEqual([file, expect.stringMatching(/^(?:EMIT|READ)_FAILED$/)])
      expect(await bytesIn(root)).toEqual(state)
    }
  })

  it('if it is aborted at any step', async () => {
    for (let step = 0; step <= 8; step++) {
      const { root, project } = await pulled()
      const state = await bytesIn(root)
      const controller = new AbortController()
      const outcome = await outcomeOf(
        project.pull({
          types: true,
          signal: controller.signal,
          onProgress: ({ done }) => void (done === step && controller.abort()),
        }),
      )
      expect(outcome).toMatch(/^(?:AbortError|REQUEST_ABORTED)$/)
      expect(await bytesIn(root)).toEqual(state)
    }
  })
})

describe('replaceFiles', () => {
  it('writes, removes and reports what changed', async () => {
    const root = await temporaryFolder()
    const at = (file: string): string => join(root, file)
    await replaceFiles([
      { path: at('a'), text: '1' },
      { path: at('folder/b'), text: '1' },
    ])
    const changed = await replaceFiles([
      { path: at('a'), text: '1' },
      { path: at('folder/b'), text: undefined },
      { path: at('new/c'), text: '3' },
      { path: at('nothing'), text: undefined },
    ])
    expect([...changed]).toEqual([at('folder/b'), at('new/c')])
    expect(await bytesIn(root)).toEqual({ a: '1', 'new/c': '3' })
  })

  it('writes none of many files if one cannot be written', async () => {
    const root = await temporaryFolder()
    const at = (file: string): string => join(root, file)
    await writeFile(at('file'), '')
    const paths = Array.from({ length: 100 }, (_, index) => at(`folder-${index % 7}/${index}`))
    const failing = replaceFiles(
      paths.toSpliced(50, 0, at('file/in-a-file')).map((path) => ({ path, text: 'new' })),
    )
    await expect(failing).rejects.toMatchObject({ code: 'EMIT_FAILED' })
    await expect(failing).rejects.toThrow(/Cannot write .*in-a-file/)
    expect(await bytesIn(root)).toEqual({ file: '' })
    expect(await readdir(root)).toEqual(['file'])
  })

  it('restores replaced files if a later one fails', async () => {
    const root = await temporaryFolder()
    const at = (file: string): string => join(root, file)
    await replaceFiles(['a', 'b', 'c'].map((file) => ({ path: at(file), text: file })))
    const failing = replaceFiles([
      { path: at('a'), text: 'new' },
      { path: at('b'), text: undefined },
      { path: at('new/d'), text: 'new' },
      {
        path: at('late'),
        get text() {
          // Another program occupies the path, so that only the last step fails.
          mkdirSync(at('late/here'), { recursive: true })
          return 'new'
        },
      },
      { path: at('c'), text: 'new' },
    ])
    await expect(failing).rejects.toMatchObject({ code: 'EMIT_FAILED' })
    await expect(failing).rejects.toThrow(/Cannot write .*late/)
    expect(await bytesIn(root)).toEqual({ a: 'a', b: 'b', c: 'c' })
  })
})
