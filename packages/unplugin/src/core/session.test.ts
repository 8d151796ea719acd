import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
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
  it('pulls, writes declarations and says what is not in order', async () => {
    const { root, session, lines } = await started()
    expect(session.model().modules.map(({ name }) => name)).toEqual(['auth', 'shop'])
    expect(await readFile(join(root, '.servicekit/uilm/auth.d.ts'), 'utf8')).toContain('const A:')
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

  it('says which modules changed, and how', async () => {
    const { source, session } = await started()
    expect(await session.refresh()).toBeUndefined()

    source.files['de-DE/auth']!['A'] = 'Eins'
    expect(await session.refresh()).toEqual({
      texts: new Set(['auth']),
      keys: new Set(),
      gone: new Set(),
      reshaped: false,
    })

    source.files['en-US/auth']!['NEW'] = 'three'
    expect(await session.refresh()).toMatchObject({ keys: new Set(['auth']), gone: new Set() })
    delete source.files['en-US/auth']!['NEW']
    expect(await session.refresh()).toMatchObject({ gone: new Set(['auth']), reshaped: false })
    source.files['en-US/auth']!['A'] = 'one {{name}}'
    expect(await session.refresh()).toMatchObject({ keys: new Set(['auth']) })

    source.files['fr-FR/auth'] = { A: 'un' }
    expect(await session.refresh()).toMatchObject({ reshaped: true })
    expect(session.model().catalog.languages).toHaveLength(3)
  })

  it('asks once more, and only once, for all who ask while it is asking', async () => {
    const { source, session } = await started()
    const before = source.listed
    const first = session.refresh()
    source.files['de-DE/auth']!['A'] = 'Eins'
    const later = [session.refresh(), session.refresh(), session.refresh()]
    await first
    await Promise.all(later)
    expect(source.listed - before).toBe(2)
    expect(session.model().modules[0]!.source.translations.get('de-DE')!.get('A')).toBe('Eins')
  })

  it('goes on after a failure', async () => {
    const { source, session } = await started()
    source.failing = new Error('down')
    const both = [session.refresh(), session.refresh()]
    expect(await Promise.allSettled(both)).toEqual([
      expect.objectContaining({ status: 'rejected' }),
      expect.objectContaining({ status: 'rejected' }),
    ])
    source.failing = undefined
    source.files['de-DE/auth']!['A'] = 'Eins'
    expect(await session.refresh()).toMatchObject({ texts: new Set(['auth']) })
  })

  it('sees what another program wrote to the snapshot', async () => {
    const { root, source, session } = await started()
    source.files['de-DE/shop']!['PRICE'] = 'Preise'
    await projectOver(root, source).pull()
    expect(await session.reload()).toMatchObject({ texts: new Set(['shop']), reshaped: false })
    expect(await session.reload()).toBeUndefined()
  })

  it('waits for a checkout that has written the lock, and not yet all texts', async () => {
    const { root, source, session } = await started()
    const file = join(root, 'uilm/de-DE/shop.json')
    const before = await readFile(file, 'utf8')
    source.files['de-DE/shop']!['PRICE'] = 'Preise'
    await projectOver(root, source).pull()
    const after = await readFile(file, 'utf8')
    await writeFile(file, before)
    const reloaded = session.reload()
    await writeFile(file, after)
    expect(await reloaded).toMatchObject({ texts: new Set(['shop']) })
    await writeFile(file, before)
    await expect(session.reload()).rejects.toThrow(/does not match the lock file/)
  })
})
