import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  addKeys,
  type CatalogOptions,
  type KeyDraft,
  openProject,
  openWriter,
  type Project,
} from '../src/index.ts'
import { runChild } from '@servicekit/testing/child-program'
import { filesIn, stampsIn, temporaryFolder } from '@servicekit/testing/folder'
import { isDeep } from '@servicekit/testing/is-deep'
import { type Shop, startShop } from './shop.ts'

vi.setConfig({ testTimeout: isDeep ? 600_000 : 60_000 })

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop?.platform.close())

/** Targets of new keys. Each returns the options of projects that share a new target. */
const targets: Readonly<Record<string, () => Promise<CatalogOptions>>> = {
  'the platform': async () => shop.options,
  'a folder': async () => {
    const from = await temporaryFolder()
    await mkdir(join(from, 'en-US'))
    await writeFile(join(from, 'en-US/cart.json'), '{\n  "A": "a"\n}\n')
    return { from }
  },
}

async function open(options: CatalogOptions): Promise<Project> {
  const root = await temporaryFolder()
  const project = openProject({ root, ...options }, { environment: {} })
  await project.pull()
  return project
}

const keysIn = async (project: Project, module: string): Promise<readonly string[]> => {
  const { modules } = (await project.load()).catalog
  const found = modules.find(({ name }) => name === module)
  return [...(found?.translations.get('en-US')?.keys() ?? [])]
}

let runs = 0

/** Starts a process that adds keys one by one, and waits until it begins. */
async function startAdding(
  options: object,
  drafts: readonly KeyDraft[],
): Promise<{ readonly child: ChildProcess; readonly ended: Promise<unknown> }> {
  const child = runChild(
    `import { addKeys, openProject } from '../src/index.ts'
const [options, drafts] = process.argv.slice(1).map((text) => JSON.parse(text))
const project = openProject(options, { environment: {} })
process.stdout.write('ready')
for (const draft of drafts) await addKeys(project, [draft])`,
    [JSON.stringify(options), JSON.stringify(drafts)],
  )
  const ended = once(child, 'close')
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const started = once(child.stdout!, 'data').then(() => 'started')
  expect(await Promise.race([started, ended.then(() => errors)])).toBe('started')
  return { child, ended }
}

describe.each(Object.entries(targets))('adding keys to %s', (name, createTarget) => {
  it('loses and duplicates nothing if it is repeated, interrupted or done by two at once', async () => {
    const options = await createTarget()
    const projects = [await open(options), await open(options)] as const
    const drafts = fc.array(fc.tuple(fc.nat(5), fc.constantFrom('one', 'two')), { maxLength: 6 })
    /** Milliseconds after which a run is aborted. */
    const abortMs = fc.option(fc.nat(40), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(drafts, drafts),
        fc.tuple(abortMs, abortMs),
        async (all, aborts) => {
          const prefix = `RUN_${runs++}_`
          const given = all.map((list) =>
            [...new Map(list)].map(([index, text]): KeyDraft => ({
              module: 'cart',
              key: prefix + index,
              text,
            })),
          )
          const outcomes = await Promise.all(
            projects.map((project, index) => {
              const ms = aborts[index]
              const signal =
                ms === undefined ? new AbortController().signal : AbortSignal.timeout(ms)
              return addKeys(project, given[index]!, { signal }).then(
                () => 'added',
                // An error after an abort is its consequence.
                (error: unknown) => (signal.aborted ? 'aborted' : String(error)),
              )
            }),
          )
          for (const outcome of outcomes) expect(['added', 'aborted']).toContain(outcome)
          const reports = []
          for (const [index, project] of projects.entries()) {
            reports.push(await addKeys(project, given[index]!))
          }
          const call = { language: 'en-US', signal: new AbortController().signal }
          const listed = (await openWriter(projects[0].options).list(call)).filter(({ key }) =>
            key.startsWith(prefix),
          )
          const wanted = new Set(given.flat().map(({ key }) => key))
          expect(listed.map(({ key }) => key).sort()).toEqual([...wanted].sort())
          for (const { key, text } of listed) {
            expect(
              given
                .flat()
                .filter((one) => one.key === key)
                .map((one) => one.text),
            ).toContain(text)
          }
          for (const [index, { added, existing, conflicts }] of reports.entries()) {
            const texts = new Map(listed.map(({ key, text }) => [key, text]))
            const differing = given[index]!.filter(({ key, text }) => texts.get(key) !== text)
            expect(conflicts.map(({ key }) => key)).toEqual(differing.map(({ key }) => key))
            expect(added.length + existing.length + conflicts.length).toBe(given[index]!.length)
            const local = await keysIn(projects[index]!, 'cart')
            for (const { key } of [...added, ...existing]) expect(local).toContain(key)
          }
          const { root } = projects[0].options
          const before = await stampsIn(root)
          expect((await addKeys(projects[0], given[0]!)).added).toEqual([])
          expect(await stampsIn(root)).toEqual(before)
        },
      ),
      { numRuns: isDeep ? 150 : 6, endOnFailure: true },
    )
  })

  it('is completed by a second run after two processes were killed', async () => {
    const options = await createTarget()
    const project = await open(options)
    const { root } = project.options
    const kills = isDeep ? 25 : 1
    for (let kill = 0; kill < kills; kill++) {
      const prefix = `KILL_${runs++}_`
      const drafts = Array.from({ length: 12 }, (_, index): KeyDraft => ({
        module: 'cart',
        key: prefix + index,
        text: `Text ${index}`,
        context: name,
      }))
      const children = [await startAdding({ root, ...options }, drafts)]
      children.push(await startAdding({ root, ...options }, drafts))
      await Promise.all(
        children.map(async ({ child, ended }, index) => {
          // Kills at a random moment are what is tested.
          const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * 300 * (index + 1))
          await ended
          clearTimeout(timer)
        }),
      )
      const { conflicts, added, existing } = await addKeys(project, drafts)
      expect({ conflicts, all: added.length + existing.length }).toEqual({ conflicts: [], all: 12 })
      const call = { language: 'en-US', signal: new AbortController().signal }
      const listed = await openWriter(project.options).list(call)
      const own = listed.filter(({ key }) => key.startsWith(prefix))
      expect(
        own.sort((a, b) => Number(a.key.slice(prefix.length)) - Number(b.key.slice(prefix.length))),
      ).toEqual(drafts)
      expect(await keysIn(project, 'cart')).toEqual(
        expect.arrayContaining(drafts.map(({ key }) => key)),
      )
      expect((await addKeys(project, drafts)).added).toEqual([])
      const details = typeof options.from === 'string' ? options.from : root
      JSON.parse(await readFile(join(details, 'uilm.keys.json'), 'utf8'))
    }
    expect((await filesIn(root)).filter((file) => /(?:^|\/)lock-/.test(file))).toEqual([])
  })
})
