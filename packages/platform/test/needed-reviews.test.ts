import type { states, tasks, translations } from '@servicekit/contract/control'
import { onEachEngine } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { randomOf } from '@servicekit/testing/random'
import { beforeAll, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { control } from './control-client.ts'

const steps = isDeep ? 1000 : 80
const seed = Number(process.env['SERVICEKIT_SEED'] ?? (isDeep ? Date.now() % 1_000_000 : 1))

const languages = ['en', 'de', 'fr']
const modules = ['a', 'b']
const keys = ['K', 'L', 'M']
const values = ['1', '2', '', '[Key missing]']

type Triple = `${string} ${string} ${string}`

onEachEngine((engine) => {
  let platform: Platform
  const on = (method: string, path: string, body?: unknown) =>
    control(platform, method, `/projects/P${path}`, body)
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await on('GET', path)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as T
  }

  const random = randomOf(seed)
  const { pick, chance } = random
  const someTexts = () =>
    Object.fromEntries(
      keys.flatMap((key) => (chance(0.8) ? [[key, pick(['1', '2', null])] as const] : [])),
    )
  const sourceProject = () =>
    project(
      'P',
      Object.fromEntries(
        languages.map((code) => [
          code,
          Object.fromEntries(modules.map((name) => [name, someTexts()])),
        ]),
      ),
    )
  /** Changes that users make in any order; those that are refused change nothing. */
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    draft: () =>
      on(
        'PUT',
        '/drafts',
        Array.from({ length: 1 + random.below(3) }, () => ({
          module: pick(modules),
          key: pick(keys),
          language: pick(languages),
          value: pick(values),
        })),
      ),
    remove: () =>
      on('PUT', '/drafts', [{ module: pick(modules), key: pick(keys), isRemoved: true }]),
    discard: () => on('DELETE', chance(0.5) ? '/drafts' : `/drafts?module=a&key=${pick(keys)}`),
    publish: () => on('POST', '/publish', {}),
    publishLanguage: () => on('POST', '/publish', { selection: { languages: [pick(languages)] } }),
    set: () =>
      on('PUT', '/texts', [
        { module: pick(modules), key: pick(keys), language: pick(languages), value: pick(values) },
      ]),
    review: () =>
      on('PUT', '/states', [
        {
          module: pick(modules),
          key: pick(keys),
          language: pick(languages),
          expected: pick(values),
          state: pick(['translated', 'needsReview', 'reviewed']),
        },
      ]),
    load: () => platform.loadProject(sourceProject()),
    setDefault: () => on('PUT', `/languages/${pick(languages)}`, { isDefault: true }),
    removeLanguage: () => on('DELETE', `/languages/${pick(languages)}`),
    removeModule: () => on('DELETE', `/modules/${pick(modules)}`),
  }

  const readSource = async (): Promise<string> => {
    const all = await read<readonly translations.LanguageRecord[]>('/languages')
    return (all.find(({ isDefault }) => isDefault) ?? all[0])!.languageCode
  }

  const countByLanguage = (found: readonly Triple[]): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {}
    for (const triple of found) {
      const code = triple.split(' ')[2]!
      counts[code] = (counts[code] ?? 0) + 1
    }
    return counts
  }

  /** Returns the translations with a state, which the list of the keys finds out anew. */
  async function inState(
    state: states.TranslationState,
    isDraft: boolean,
  ): Promise<readonly Triple[]> {
    const { items } = await read<{ items: readonly translations.KeyRecord[] }>('/keys?pageSize=100')
    const sourceCode = await readSource()
    return items.flatMap(({ module, key, texts, drafts, states: stored, isRemoved }) =>
      isRemoved
        ? []
        : Object.entries({ ...texts, ...drafts })
            .filter(([code]) => code !== sourceCode && (!isDraft || code in drafts))
            .filter(([, value]) => value && value !== '[Key missing]')
            .filter(([code]) => (stored[code] ?? 'translated') === state)
            .map(([code]): Triple => `${module} ${key} ${code}`),
    )
  }

  async function listed(kind: tasks.TaskKind): Promise<readonly Triple[]> {
    const { items, totalCount } = await read<{
      items: readonly tasks.TaskRecord[]
      totalCount: number
    }>(`/tasks?kind=${kind}&person=ada&pageSize=100`)
    expect(totalCount).toBe(items.length)
    return items.map(({ module, key, language }): Triple => `${module} ${key} ${language!}`)
  }

  beforeAll(async () => {
    platform = await engine.open({ seed: 1, audit: 'instance-1' })
    await platform.loadProject(sourceProject())
    expect(await on('PUT', '/identity', people)).toMatchObject({ status: 204 })
  })

  it(
    'lists exactly the translations in a state after any changes',
    { timeout: 600_000 },
    async () => {
      const found = { needsReview: 0, toReview: 0 }
      const names = [...Object.keys(changes), ...Array.from({ length: 12 }, () => 'draft')]
      const rare = new Set(['discard', 'publish', 'load', 'removeLanguage', 'removeModule'])
      for (let step = 0; step < steps; step++) {
        const name = pick(names)
        if (rare.has(name) && chance(0.7)) continue
        await changes[name]!()
        if (name.startsWith('remove') && name !== 'remove')
          await platform.loadProject(sourceProject())
        const [needed, toReview] = [await listed('needsReview'), await listed('toReview')]
        const context = `seed ${seed}, step ${step}: ${name}`
        expect(needed.toSorted(), context).toEqual((await inState('needsReview', false)).toSorted())
        expect(toReview.toSorted(), context).toEqual((await inState('translated', true)).toSorted())
        const sourceCode = await readSource()
        const counted = await read<readonly states.LanguageStates[]>('/states')
        for (const state of ['needsReview', 'reviewed', 'translated'] as const) {
          const expected = countByLanguage(await inState(state, false))
          const counts = counted.map((one) => [one.languageCode, one.states[state]] as const)
          const ofOthers = counts.filter(([code, total]) => total > 0 && code !== sourceCode)
          expect(Object.fromEntries(ofOthers), `${context}, ${state}`).toEqual(expected)
        }
        found.needsReview += needed.length
        found.toReview += toReview.length
      }
      expect(found.needsReview).toBeGreaterThan(0)
      expect(found.toReview).toBeGreaterThan(0)
    },
  )
})
