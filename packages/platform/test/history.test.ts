import { beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { control } from './control-client.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { origin, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

interface Entry {
  readonly at: string
  readonly actor: string
  readonly email: string | null
  readonly module: string
  readonly key: string
  readonly language: string
  readonly previous: string | null
  readonly value: string | null
}

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ seed: 1 })
    for (const key of ['P', 'Q']) await platform.loadProject(source(key, 'Sign in'))
  })
  const source = (key: string, signIn: string | undefined) =>
    project(key, {
      'en-US': { auth: { ...(signIn !== undefined && { SIGN_IN: signIn }), SAVE: 'Save' } },
      'de-DE': { auth: { SAVE: 'Sichern' } },
    })
  const on = (method: string, path: string, body?: unknown) =>
    control(platform, method, `/projects/P${path}`, body)
  const text = (language: string, key: string, value: string | null) => ({
    module: 'auth',
    key,
    language,
    value,
  })
  const history = async (query: Record<string, string> = {}, key = 'P') => {
    const path = `/projects/${key}/history?${new URLSearchParams(query)}`
    return (await control(platform, 'GET', path)).body as readonly Entry[]
  }
  const short = ({ key, language, previous, value }: Entry) => [key, language, previous, value]

  it('records changes, of which those of a new project are none', async () => {
    expect(await history()).toEqual([])
    await on('PUT', '/texts', [
      text('de-DE', 'SIGN_IN', 'Anmelden'),
      text('de-DE', 'SAVE', 'Sichern'),
    ])
    await on('PUT', '/drafts', [text('de-DE', 'SIGN_IN', 'Einloggen')])
    expect(await history()).toHaveLength(1)
    await on('POST', '/publish')
    const [last, first] = await history()
    expect(first).toEqual({
      ...text('de-DE', 'SIGN_IN', 'Anmelden'),
      previous: null,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as unknown,
      actor: 'control',
      email: null,
      reason: null,
      state: null,
    })
    expect(short(last!)).toEqual(['SIGN_IN', 'de-DE', 'Anmelden', 'Einloggen'])
    expect(await history({}, 'Q')).toEqual([])
  })

  it('lists the changes of one key, the newest first, up to a limit', async () => {
    await on('PUT', '/texts', [text('en-US', 'SAVE', 'Store'), text('de-DE', 'SAVE', 'Ablegen')])
    const saved = await history({ module: 'auth', key: 'SAVE' })
    expect(saved.map(short)).toEqual([
      ['SAVE', 'de-DE', 'Sichern', 'Ablegen'],
      ['SAVE', 'en-US', 'Save', 'Store'],
    ])
    expect(saved[0]!.at).toBe(saved[1]!.at)
    expect(await history({ limit: '1' })).toEqual(saved.slice(0, 1))
    expect(await history({ module: 'other', key: 'SAVE' })).toEqual([])
  })

  it('keeps the translations of a removed key, also after the key is added again', async () => {
    await on('PUT', '/drafts', [{ module: 'auth', key: 'SIGN_IN', isRemoved: true }])
    await on('POST', '/publish')
    const removal = (await history({ module: 'auth', key: 'SIGN_IN' })).slice(0, 2)
    expect(removal.map(short)).toEqual([
      ['SIGN_IN', 'de-DE', 'Einloggen', null],
      ['SIGN_IN', 'en-US', 'Sign in', null],
    ])
    expect((await on('GET', '/keys?search=SIGN_IN')).body).toMatchObject({ totalCount: 0 })
    await on('PUT', '/texts', [text('en-US', 'SIGN_IN', 'Log in')])
    const [added] = await history({ module: 'auth', key: 'SIGN_IN' })
    expect(short(added!)).toEqual(['SIGN_IN', 'en-US', null, 'Log in'])
  })

  it('records what a changed file changes, adds and removes', async () => {
    const before = (await history({ limit: '1000' })).length
    await platform.loadProject(source('P', undefined))
    const changes = (await history({ limit: '1000' })).slice(0, -before)
    expect(changes.map(short).toSorted()).toEqual([
      ['SAVE', 'de-DE', 'Ablegen', 'Sichern'],
      ['SAVE', 'en-US', 'Store', 'Save'],
      ['SIGN_IN', 'en-US', 'Log in', null],
    ])
    expect(changes.map(({ actor }) => actor)).toEqual(['program', 'program', 'program'])
    await platform.loadProject(source('P', undefined))
    expect(await history({ limit: '1000' })).toHaveLength(before + 3)
  })

  it('names the administrator who published in the console', async () => {
    await using secured = await createPlatform({
      controlToken: 'a control token',
      projects: [project('P', { 'de-DE': { auth: { SAVE: 'Sichern' } } }, { identity: people })],
    })
    const { browser } = await signIn(secured, 'P')
    const below = '/_platform/projects/P'
    const body = JSON.stringify([text('de-DE', 'SAVE', 'Merken')])
    const headers = { origin }
    await browser.send(`${below}/drafts`, { method: 'PUT', headers, body })
    await browser.send(`${below}/publish`, { method: 'POST', headers })
    const listed = await browser.send(`${below}/history?limit=1`)
    expect(await listed.json()).toMatchObject([
      { actor: 'user:ada', email: 'ada@example.com', value: 'Merken' },
    ])
  })

  it('is removed with its project', async () => {
    await control(platform, 'DELETE', '/projects/P')
    await platform.loadProject(source('P', 'Sign in'))
    expect(await history()).toEqual([])
  })

  it('rejects a limit that is not a number', async () => {
    expect((await on('GET', '/history?limit=many')).status).toBe(400)
  })
})
