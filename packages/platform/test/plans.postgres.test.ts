import { operations } from '@servicekit/contract'
import { onPostgres } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { control, signIn } from '@servicekit/testing/people'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createPlatform } from '../src/index.ts'
import { allCases } from './operations/all-cases.ts'
import { openWorld, type World } from './operations/world.ts'
import { exceptions } from './plans/exceptions.ts'
import { fillDatabase } from './plans/large-data.ts'
import { controlReads, controlWrites, moreRequests } from './plans/more-requests.ts'
import { planProblems } from './plans/plan-problems.ts'
import { enablePlans, planWatcher } from './plans/read-plans.ts'

onPostgres((engine) => {
  let world: World
  let databaseUrl: string
  /** Statements of the current test, and the problems of their plans by statement. */
  let count = 0
  /** Number of messages that the current request changes. */
  let changes = 0
  let problems: Record<string, readonly string[]> = {}
  const unused = new Set(exceptions.map(([part]) => part))

  const watch = planWatcher((statement) => {
    count++
    const text = statement['Query Text'].replaceAll(/\s+/g, ' ').trim()
    const found = planProblems(statement, changes)
    if (found.length === 0) return
    const exception = exceptions.find(([part]) => text.includes(part))
    if (exception) unused.delete(exception[0])
    else problems[text] = found
  })

  beforeAll(async () => {
    watch()
    databaseUrl = (await engine.location()).databaseUrl!
    await enablePlans(databaseUrl)
    world = await openWorld({ databaseUrl })
    // The large version has all rows in one project.
    await (isDeep
      ? fillDatabase(databaseUrl, ['P'], { languages: 10, parts: 1 })
      : fillDatabase(databaseUrl, ['P', 'R', 'T', 'U']))
  }, 300_000)
  beforeEach(() => {
    changes = 0
    watch()
  })
  afterAll(() => world?.platform.close())

  /** Sends a request, and returns its text with the problems of the plans of its statements. */
  const run = async (send: () => Promise<Response>, status = 200) => {
    problems = {}
    count = 0
    const response = await send()
    const text = await response.text()
    expect(response.status, text).toBe(status)
    expect(count).toBeGreaterThan(0)
    return { text, problems }
  }

  const cases = operations.flatMap(({ route: { id } }) =>
    allCases[id]!.filter(({ status }) => status < 400).map(
      (one) => [`${id} ${one.when}`, one] as const,
    ),
  )
  it.each(cases)('%s reads few rows', async (_, { status, send }) => {
    expect((await run(async () => send(world), status)).problems).toEqual({})
  })

  it.each(Object.entries(moreRequests))('%s, reads few rows', async (_, sent) => {
    const by = sent.path.startsWith('/iam/') ? { by: world.admin } : {}
    const { text, problems: found } = await run(() => world.send({ ...sent, ...by }))
    expect(text).not.toContain('"errors":[{"message"')
    expect(found).toEqual({})
  })

  it.each(controlReads)('the control operation %s reads few rows', async (path) => {
    expect((await run(() => control(world.platform, 'P', 'GET', path))).problems).toEqual({})
  })

  it.each(Object.entries(controlWrites))(
    'a request that %s reads as many rows as it changes',
    async (_, request) => {
      // PostgreSQL keeps plans of triggers and functions, made for few rows.
      for (let repeat = 0; repeat < 7; repeat++) {
        await control(world.platform, 'P', ...request(1 + repeat))
      }
      changes = 1500
      const found = await run(() => control(world.platform, 'P', ...request(changes)))
      expect(found.problems).toEqual({})
    },
  )

  it('the removal of expired rows reads few rows', async () => {
    // A process removes them at its first sign-in.
    await using platform = await createPlatform({ databaseUrl })
    const { problems: found } = await run(async () => (await signIn(platform, 'P')).callback)
    expect(found).toEqual({})
  })

  it.skipIf(isDeep)('needs each exception', () => {
    expect([...unused]).toEqual([])
  })
})
