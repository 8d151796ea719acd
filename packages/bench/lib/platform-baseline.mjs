import { sql } from 'drizzle-orm'
import { sessions } from './platform-workload.mjs'

/**
 * Adds minimal handlers for the requests of the workload: without authentication, validation
 * and GraphQL. They execute the statements of the platform's handlers on its data layer, each
 * in one transaction in the scope of the project.
 *
 * @param {import('hono').Hono} app
 * @param {import('../../platform/src/database/database.ts').Database} database
 * @param {number} projectId
 */
export function addBaselineRoutes(app, database, projectId) {
  /** @param {import('drizzle-orm').SQL} statement @param {boolean} [isReadOnly] */
  const run = async (statement, isReadOnly = false) => {
    const { rows } = await database.scoped(projectId, (tables) => tables.execute(statement), {
      isReadOnly,
    })
    return rows
  }
  const userOf = (/** @type {number} */ index) => sessions[index % sessions.length]?.userId
  let created = 0

  // Whoever creates an organization becomes a member of it.
  app.post('/iam/v4/iam/organizations/create', async (c) => {
    const { name, description } = await c.req.json()
    const itemId = crypto.randomUUID()
    const now = new Date()
    const userId = userOf(created++)
    await database.scoped(projectId, async (tables) => {
      await tables.execute(sql`
      insert into servicekit.organizations (project_id, item_id, created_date, last_updated_date,
        created_by, name, description, default_roles, default_permissions, created_from)
      values (${projectId}, ${itemId}, ${now}, ${now}, ${userId}, ${name}, ${description},
        ${sql.param([])}, ${sql.param([])}, ${0})
      on conflict (project_id, item_id) do update set name = excluded.name,
        description = excluded.description, default_roles = excluded.default_roles,
        default_permissions = excluded.default_permissions, created_from = excluded.created_from`)
      await tables.execute(sql`
      insert into servicekit.memberships (project_id, user_id, organization_id, position, roles)
      values (${projectId}, ${userId}, ${itemId}, (select count(*) from servicekit.memberships
        where user_id = ${userId}), ${sql.param(['admin'])})`)
    })
    return c.json({ isSuccess: true, itemId, errors: null })
  })
  app.get('/iam/v4/iam/me', async (c) => {
    const rows = await run(
      sql`
      select u.*, coalesce((
        select json_agg(json_build_object('organizationId', m.organization_id, 'roles', m.roles,
          'permissions', m.permissions) order by m.position)
        from servicekit.memberships m where m.user_id = u.item_id
      ), '[]') as memberships
      from servicekit.users u where u.item_id = ${userOf(0)}`,
      true,
    )
    return c.json({ data: rows[0], errors: null })
  })
  app.post('/data/v4/gateway', async (c) => {
    const { query, variables } = await c.req.json()
    if (!query.startsWith('mutation')) return list(c, variables.stars)
    return 'id' in variables ? update(c, variables) : insert(c, variables.input)
  })

  /** @param {import('hono').Context} c @param {number} stars */
  const list = async (c, stars) => {
    const rows = await run(
      sql`
      select r.item_id as "ItemId",
        to_char(r.created_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "CreatedDate",
        to_char(r.last_updated_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          as "LastUpdatedDate",
        r.created_by as "CreatedBy", r.last_updated_by as "LastUpdatedBy",
        r.language as "Language", r.organization_id as "OrganizationId", r.tags as "Tags", r.data
      from servicekit.records r
      where r.project_id = ${projectId} and r.schema_name = ${'Note'} and
        ((case when jsonb_typeof(r.data->${'Stars'}::text) = ${'number'}
          then (r.data->>${'Stars'}::text)::numeric end) = ${String(stars)}::numeric)
      order by r.seq limit ${10} offset ${0}`,
      true,
    )
    const items = rows.map(({ data, ItemId, CreatedDate }) => ({
      ItemId,
      CreatedDate,
      .../** @type {object} */ (data),
    }))
    return c.json({ data: { Notes: { items } } })
  }

  /** @param {import('hono').Context} c @param {Readonly<Record<string, unknown>>} input */
  const insert = async (c, input) => {
    const itemId = crypto.randomUUID()
    const now = new Date()
    await run(sql`
      insert into servicekit.records (project_id, schema_name, item_id, created_date,
        last_updated_date, created_by, last_updated_by, language, organization_id, tags, data)
      values (${projectId}, ${'Note'}, ${itemId}, ${now}, ${now}, ${'anonymous'}, ${'anonymous'},
        ${'en-US'}, ${'org'}, ${sql.param([])}, ${JSON.stringify(input)})
      on conflict (project_id, schema_name, item_id) do nothing`)
    return c.json({ data: { insertNote: { acknowledged: true, itemId } } })
  }

  /** @param {import('hono').Context} c @param {{ id: string, text: string }} note */
  const update = async (c, { id, text }) => {
    await run(sql`
      update servicekit.records set last_updated_date = ${new Date()},
        last_updated_by = ${'anonymous'}, data = data || ${JSON.stringify({ Text: text })}::jsonb
      where project_id = ${projectId} and schema_name = ${'Note'} and item_id = ${id}`)
    return c.json({ data: { updateNote: { acknowledged: true } } })
  }
}
