import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  projectOver,
  removeFolders,
  sourceOf,
  temporaryFolder,
  type TestSource,
} from '../../test/project.ts'
import { createSession, type Session } from './session.ts'

afterAll(removeFolders)

interface Started {
  readonly root: string
  readonly source: TestSource
  readonly session: Session
  readonly lines: string[]
}

async function started(): Promise<Started> {
  const root = await temporaryFolder()
  const source = sourceOf({
    'en-US/auth': { A: 'one', B: 'two' },
    'en-US/shop': { PRICE: 'Price' },
    'de-DE/auth': { A: 'eins' },
    'de-DE/shop': { PRICE: 'Preis {{sum}}' },
  })
  const session = createSession(projectOver(root, source))
  const lines: string[] = []
  const note = (message: string) => void lines.push(message)
  await session.start({ info: note, warn: note })
  return { root, source, session, lines }
}

describe('a session', () => {
  it('pulls, writes declarations and logs problems', async () => {
    const { root, session, lines } = await started()
    expect(session.model().modules.map(({ name }) => name)).toEqual(['auth', 'shop'])
    expect(await readFile(join(root, '.servicekit/types/uilm/auth.d.ts'), 'utf8')).toContain(
      'const A:',
    )
    expect(lines).toEqual([
      expect.stringContaining('4 translation files of 2 languages, 5 written'),
      expect.stringMatching(/^shop PRICE .de-DE.: .*sum/),
      expect.stringContaining('de-DE 1'),
    ])
  })

  it('has no model before it is started', async () => {
    const session = createSession(projectOver(await temporaryFolder(), sourceOf({})))
    expect(() => session.model()).toThrow(TypeError)
  })

  it('notifies every subscriber of a change, whichever of them noticed it', async () => {
    const { source, session } = await started()
    const told: string[] = []
    session.subscribe(() => void told.push('first'))
    const unsubscribe = session.subscribe(() => void told.push('second'))
    source.files['de-DE/auth']!['A'] = 'Eins'
    await session.refresh()
    expect(told).toEqual(['first', 'second'])
    await session.refresh()
    expect(told).toHaveLength(2)
    unsubscribe()
    source.files['de-DE/auth']!['A'] = 'eins'
    await session.refresh()
    expect(told).toEqual(['first', 'second', 'first'])
  })

  it('reports which modules changed, and how', async () => {
    const { source, session } = await started()
    expect(await session.refresh()).toBeUndefined()

    source.files['de-DE/auth']!['A'] = 'Eins'
    expect(await session.refresh()).toEqual({
      translations: new Map([['auth', new Set(['A'])]]),
      keys: new Set(),
      removed: new Set(),
      needsReload: false,
    })

    source.files['en-US/auth']!['NEW'] = 'three'
    expect(await session.refresh()).toMatchObject({ keys: new Set(['auth']), removed: new Set() })
    delete source.files['en-US/auth']!['NEW']
    expect(await session.refresh()).toMatchObject({
      removed: new Set(['auth']),
      needsReload: false,
    })
    source.files['en-US/auth']!['A'] = 'one {{name}}'
    expect(await session.refresh()).toMatchObject({ keys: new Set(['auth']) })

    source.files['fr-FR/auth'] = { A: 'un' }
    expect(await session.refresh()).toMatchObject({ needsReload: true })
    expect(session.model().catalog.languages).toHaveLength(3)
  })

  it('pulls once more for all calls during a pull', async () => {
    const { source, session } = await started()
    const before = source.listed
    const first = session.refresh()
    await vi.waitUntil(() => source.listed > before, 20_000)
    source.files['de-DE/auth']!['A'] = 'Eins'
    const later = [session.refresh(), session.refresh(), session.refresh()]
    await first
    await Promise.all(later)
    expect(source.listed - before).toBe(2)
    expect(session.model().modules[0]!.source.translations.get('de-DE')!.get('A')).toBe('Eins')
  })

  it('continues after a failed pull', async () => {
    const { source, session } = await started()
    source.failing = new Error('down')
    const both = [session.refresh(), session.refresh()]
    expect(await Promise.allSettled(both)).toEqual([
      expect.objectContaining({ status: 'rejected' }),
      expect.objectContaining({ status: 'rejected' }),
    ])
    source.failing = undefined
    source.files['de-DE/auth']!['A'] = 'Eins'
    expect(await session.refresh()).toMatchObject({
      translations: new Map([['auth', new Set(['A'])]]),
    })
  })

  describe('whose pages show a language', () => {
    /** Starts a session whose second and later pulls wait for `release`. */
    async function held() {
      const source = sourceOf({ 'en-US/auth': { A: 'one', B: 'two' }, 'de-DE/auth': { A: 'eins' } })
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      const state = { isHeld: false, failure: undefined as Error | undefined }
      const root = await temporaryFolder()
      const session = createSession(
        projectOver(root, {
          ...source,
          list: async (signal) => {
            if (state.isHeld) await released
            if (state.failure) throw state.failure
            return { ...(await source.list(signal)), moduleIds: new Map([['id', 'auth']]) }
          },
        }),
      )
      await session.start({ info: () => undefined, warn: () => undefined })
      const told: (readonly string[])[] = []
      session.subscribe(({ translations }) => void told.push([...(translations.get('auth') ?? [])]))
      state.isHeld = true
      const stored = () => readFile(join(root, 'uilm/de-DE/auth.json'), 'utf8')
      const declared = () => readFile(join(root, '.servicekit/types/uilm/auth.d.ts'), 'utf8')
      return { files: source.files, session, state, release, told, stored, declared }
    }

    it('reports an edit in it before the files are stored, and only once', async () => {
      const { files, session, release, told, stored } = await held()
      files['de-DE/auth']!['A'] = 'Eins'
      const refreshed = session.refresh('id', ['de-DE'])
      await vi.waitUntil(() => told.length > 0)
      const [module] = session.model().modules
      expect(module!.source.translations.get('de-DE')!.get('A')).toBe('Eins')
      expect(await stored()).toContain('eins')
      release()
      expect(await refreshed).toMatchObject({ translations: new Map([['auth', new Set(['A'])]]) })
      expect(await stored()).toContain('Eins')
      expect(told).toEqual([['A']])
    })

    it('updates the declarations with the files', async () => {
      const { files, session, release, told, declared } = await held()
      files['en-US/auth']!['A'] = 'one {{name}}'
      const refreshed = session.refresh('id', ['en-US'])
      await vi.waitUntil(() => told.length > 0)
      expect(await declared()).not.toContain('name')
      release()
      await refreshed
      expect(await declared()).toContain('name')
    })

    it('reports edits in other languages and new keys after the pull', async () => {
      const { files, session, release, told } = await held()
      files['en-US/auth']!['B'] = 'zwei'
      files['de-DE/auth']!['NEW'] = 'neu'
      const refreshed = session.refresh('id', ['de-DE'])
      release()
      await refreshed
      expect(told).toEqual([['B', 'NEW']])
    })

    it('stores an edit with the next pull if its own fails', async () => {
      const { files, session, state, release, told, stored } = await held()
      files['de-DE/auth']!['A'] = 'Eins'
      state.failure = new Error('down')
      release()
      await expect(session.refresh('id', ['de-DE'])).rejects.toThrow('down')
      expect(await stored()).toContain('eins')
      state.failure = undefined
      await session.refresh('id', ['de-DE'])
      expect(await stored()).toContain('Eins')
      expect(told).toEqual([['A']])
    })

    it('reports further edits during the pause before the pull, which stores them all', async () => {
      const { files, session, release, told, stored } = await held()
      release()
      files['de-DE/auth']!['A'] = 'Eins'
      const first = session.refresh('id', ['de-DE'])
      await vi.waitUntil(() => told.length === 1)
      files['de-DE/auth']!['A'] = 'EINS'
      const second = session.refresh('id', ['de-DE'])
      await vi.waitUntil(() => told.length === 2)
      expect(await stored()).toContain('eins')
      await Promise.all([first, second])
      expect(await stored()).toContain('EINS')
      expect(told).toHaveLength(2)
    })
  })

  it('reloads a snapshot that another program wrote', async () => {
    const { root, source, session } = await started()
    source.files['de-DE/shop']!['PRICE'] = 'Preise'
    await projectOver(root, source).pull()
    expect(await session.reload()).toMatchObject({
      translations: new Map([['shop', new Set(['PRICE'])]]),
      needsReload: false,
    })
    expect(await session.reload()).toBeUndefined()
  })

  it('reloads a snapshot that another program wrote right after a pull', async () => {
    const root = await temporaryFolder()
    const source = sourceOf({ 'en-US/shop': { PRICE: 'Price' } })
    const project = projectOver(root, source)
    const names = ['uilm.lock.json', 'uilm/en-US/shop.json']
    let committed: readonly string[] = []
    const restore = () =>
      Promise.all(committed.map((text, index) => writeFile(join(root, names[index]!), text)))
    const session = createSession({
      ...project,
      async pull(options) {
        const report = await project.pull(options)
        await restore()
        return report
      },
    })
    await session.start({ info() {}, warn() {} })
    committed = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8')))
    source.files['en-US/shop']!['PRICE'] = 'Prices'
    const edit = { translations: new Map([['shop', new Set(['PRICE'])]]) }
    expect(await session.refresh()).toMatchObject(edit)
    expect(await session.reload()).toMatchObject(edit)
    expect(await session.reload()).toBeUndefined()
  })

  it('waits for a checkout that has written the lock file but not all translations', async () => {
    const { root, source, session } = await started()
    const file = join(root, 'uilm/de-DE/shop.json')
    const before = await readFile(file, 'utf8')
    source.files['de-DE/shop']!['PRICE'] = 'Preise'
    await projectOver(root, source).pull()
    const after = await readFile(file, 'utf8')
    await writeFile(file, before)
    const reloaded = session.reload()
    await writeFile(file, after)
    expect(await reloaded).toMatchObject({
      translations: new Map([['shop', new Set(['PRICE'])]]),
    })
    await writeFile(file, before)
    expect(await session.reload()).toBeUndefined()
    await appendFile(join(root, 'uilm.lock.json'), '\n')
    await expect(session.reload()).rejects.toThrow(/does not match the lock file/)
  })
})
