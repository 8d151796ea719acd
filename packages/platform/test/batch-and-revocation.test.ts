import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open-database.ts'
import type { Statement } from '../src/database/statement.ts'
import { createPlatform, type Platform } from '../src/index.ts'
import { sendInProject } from '../src/projects/send-in-project.ts'
import { projectDirectory } from '../src/projects/project-directory.ts'
import { onEachEngine } from './engines.ts'
import { control, people, signIn } from './people.ts'
import { project } from './projects.ts'

const ask = (text: string, ...values: Statement['values']): Statement => ({ text, values })

onEachEngine((engine) => {
  describe('a batch of statements', () => {
    let database: Database
    beforeAll(async () => {
      database = await openDatabase(await engine.location())
      await database.send([
        ask(`insert into servicekit.projects (key, name, organization_id, fallback, dialect)
          values ('P', 'P', '', '', '{}')`),
      ])
    })
    afterAll(() => database?.close())

    const insert = (id: string) =>
      ask(
        `insert into servicekit.organizations (project_id, item_id, created_date, last_updated_date,
          name, default_roles) values ((select id from servicekit.projects where key = 'P'), $1, now(), now(), $2, $3)`,
        id,
        'It\'s "a" {name}',
        ['a "b"', 'c\\d', '', 'null', '{e,f}'],
      )
    const names = ask('select item_id, name, default_roles from servicekit.organizations')
    const found = async () => (await projectDirectory(database).find('P'))!

    it('are answered one by one, with values as they were given', async () => {
      const results = await sendInProject(database, (await found()).id, [
        insert('one'),
        names,
        names,
      ])
      expect(results[0]).toEqual({ rows: [], count: 1 })
      const row = {
        item_id: 'one',
        name: 'It\'s "a" {name}',
        default_roles: ['a "b"', 'c\\d', '', 'null', '{e,f}'],
      }
      expect(results[1]).toEqual({ rows: [row], count: 1 })
      expect(results[2]).toEqual(results[1])
    })

    it('are done or undone together, and prepared anew after a failure', async () => {
      const broken = sendInProject(database, (await found()).id, [insert('two'), insert('two')])
      await expect(broken).rejects.toMatchObject({ code: '23505' })
      const unknown = sendInProject(database, (await found()).id, [
        insert('three'),
        ask('select nothing'),
      ])
      await expect(unknown).rejects.toMatchObject({ code: '42703' })
      const [rows] = await sendInProject(database, (await found()).id, [names])
      expect(rows!.rows.map((row) => row['item_id'])).toEqual(['one'])
    })

    it('may be more than are kept prepared', async () => {
      for (let index = 0; index < 450; index++) {
        const [result] = await database.send([ask(`select $1::int as "c${index}"`, index)])
        expect(result!.rows).toEqual([{ [`c${index}`]: index }])
      }
      const [kept] = await database.send([
        ask('select count(*)::int as n from pg_prepared_statements'),
      ])
      expect(kept!.rows[0]!['n']).toBeLessThanOrEqual(201)
    })

    it('are prepared again where a table changed', async () => {
      const all = ask('select * from servicekit.organizations')
      const before = await sendInProject(database, (await found()).id, [all])
      expect(before[0]!.rows).toHaveLength(1)
      const owner = await openOwner(database)
      await owner('alter table servicekit.organizations add column later int default 7')
      const after = await sendInProject(database, (await found()).id, [all])
      expect(after[0]!.rows[0]!['later']).toBe(7)
    })
  })

  describe('authorization', () => {
    let instances: Platform[]
    beforeAll(async () => {
      const location = await engine.location()
      const first = await createPlatform({ ...location, projects: [project('P')] })
      // An embedded database belongs to one instance.
      const others = engine.name === 'PGlite' ? [] : [await createPlatform(location)]
      instances = [first, ...others]
      await control(first, 'P', 'PUT', '/identity', people)
    })
    afterAll(() => Promise.all((instances ?? []).map((one) => one.close())))

    const headers = { 'x-service-key': 'P' }
    type Signed = Awaited<ReturnType<typeof signIn>>['browser']
    const create = { method: 'POST', body: '{"name":"Mine"}', headers: { ...headers } }
    let current: Platform
    const proxy = { fetch: (request: Request) => current.fetch(request) }
    /** Sends a request to every instance, as a proxy would. */
    const statuses = async (browser: Signed, path: string, how: object = { headers }) => {
      const found: number[] = []
      for (current of instances) found.push((await browser.send(path, how)).status)
      return found
    }
    const each = (status: number) => instances.map(() => status)

    it('ends at once on every instance when a role or an account is taken away', async () => {
      current = instances[0]!
      const { browser } = await signIn(proxy, 'P', 'bob@example.com')
      const last = instances.at(-1)!
      const settings = (administratorRoles: string[]) => ({ settings: { administratorRoles } })
      await control(last, 'P', 'PUT', '/identity', settings(['member']))
      for (let time = 0; time < 3; time++) {
        expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(200))
        expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(
          each(200),
        )
      }
      await control(last, 'P', 'PUT', '/identity', settings(['admin']))
      expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(each(403))
      expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(200))
      await control(last, 'P', 'PUT', '/identity', settings(['member']))
      expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(each(200))
      const { browser: admin } = await signIn(proxy, 'P')
      const off = { ...create, body: '{"userId":"bob"}' }
      await control(last, 'P', 'PUT', '/identity', settings(['admin']))
      current = last
      // A user who created organizations may not be deactivated by another administrator.
      expect((await admin.send('/iam/v4/iam/users/deactivate', off)).status).toBe(403)
      await control(last, 'P', 'PUT', '/identity', {
        users: [{ email: 'bob@example.com', active: false }],
      })
      expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(401))
      expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(each(401))
      expect(await statuses(admin, '/iam/v4/iam/me')).toEqual(each(200))
    })
  })
})

/** Runs statements as the owner of the tables, also on the connection of an embedded database. */
async function openOwner(database: Database) {
  return async (text: string): Promise<void> => {
    await database.send([ask('reset role')])
    await database.send([ask(text)])
    await database.send([ask('set role servicekit_app')])
  }
}
