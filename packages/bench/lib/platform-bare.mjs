/**
 * Minimal implementation of these four responses: no authentication, no validation, no
 * row-level security (it connects as the owner of the tables), no GraphQL. The statements
 * are those of the platform's handlers, prepared once.
 *
 * @param {import('hono').Hono} app
 * @param {import('pg').Pool} pool
 * @param {number} projectId
 */
export function bareRoutes(app, pool, projectId) {
  app.post('/iam/v4/iam/organizations/create', async (c) => {
    const { name, description } = await c.req.json()
    const itemId = crypto.randomUUID()
    const now = new Date()
    await pool.query({
      name: 'create',
      text: `insert into servicekit.organizations (project_id, item_id, created_date,
          last_updated_date, created_by, name, description, default_roles, default_permissions,
          created_from)
        values ($1::int, $2, $3::timestamptz, $3::timestamptz, $4, $5, $6, $7::text[], $8::text[], $9::int)
        on conflict (project_id, item_id) do update set name = excluded.name,
          description = excluded.description, default_roles = excluded.default_roles,
          default_permissions = excluded.default_permissions, created_from = excluded.created_from`,
      values: [projectId, itemId, now, 'ada', name, description, [], [], 0],
    })
    return c.json({ isSuccess: true, itemId, errors: null })
  })
  app.get('/iam/v4/iam/me', async (c) => {
    const { rows } = await pool.query({
      name: 'read',
      text: `select u.*, coalesce((
          select json_agg(json_build_object('organizationId', m.organization_id, 'roles', m.roles,
            'permissions', m.permissions) order by m.position)
          from servicekit.memberships m where m.user_id = u.item_id and m.project_id = $1
        ), '[]') as memberships
        from servicekit.users u where u.item_id = $2 and u.project_id = $1`,
      values: [projectId, 'ada'],
    })
    return c.json({ data: rows[0], errors: null })
  })
  app.post('/data/v4/gateway', async (c) => {
    const { query, variables } = await c.req.json()
    return query.startsWith('mutation') ? insert(c, variables.input) : list(c, variables.stars)
  })

  /** @param {import('hono').Context} c @param {number} stars */
  const list = async (c, stars) => {
    const { rows } = await pool.query({
      name: 'list',
      text: `select r.item_id as "ItemId",
          to_char(r.created_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "CreatedDate",
          to_char(r.last_updated_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            as "LastUpdatedDate",
          r.created_by as "CreatedBy", r.last_updated_by as "LastUpdatedBy",
          r.language as "Language", r.organization_id as "OrganizationId", r.tags as "Tags", r.data
        from servicekit.records r
        where r.project_id = $1::int and r.schema_name = $2 and
          ((case when jsonb_typeof(r.data->$3::text) = 'number'
            then (r.data->>$3::text)::numeric end) = $4::numeric)
        order by r.seq limit $5::int offset $6::bigint`,
      values: [projectId, 'Note', 'Stars', String(stars), 10, 0],
    })
    const items = rows.map(({ data, ItemId, CreatedDate }) => ({ ItemId, CreatedDate, ...data }))
    return c.json({ data: { Notes: { items } } })
  }

  /** @param {import('hono').Context} c @param {Readonly<Record<string, unknown>>} input */
  const insert = async (c, input) => {
    const itemId = crypto.randomUUID()
    const now = new Date().toISOString()
    await pool.query({
      name: 'insert',
      text: `insert into servicekit.records (project_id, schema_name, item_id, created_date,
          last_updated_date, created_by, last_updated_by, language, organization_id, tags, data)
        values ($1::int, $2, $3, $4::timestamptz, $4::timestamptz, $5, $5, $6, $7, $8::text[],
          $9::jsonb)
        on conflict (project_id, schema_name, item_id) do nothing`,
      values: [
        projectId,
        'Note',
        itemId,
        now,
        'anonymous',
        'en-US',
        'org',
        [],
        JSON.stringify(input),
      ],
    })
    return c.json({ data: { insertNote: { acknowledged: true, itemId } } })
  }
}
