import { sql, type SQL } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { memberships } from './tables.ts'
import { allOf, contains, type PageRequest, pageSql } from './page-sql.ts'
import type { Membership, UserRow } from './user-record.ts'

/** Filter of the user list. Dates are lower bounds. */
export interface UserFilter {
  readonly email?: string | null | undefined
  readonly name?: string | null | undefined
  readonly userIds?: readonly string[] | null | undefined
  readonly organizationId?: string | null | undefined
  readonly active?: boolean | undefined
  readonly mfa?: boolean | undefined
  readonly joinedOn?: Date | undefined
  readonly lastLogin?: Date | undefined
  /** Condition on `servicekit.users u` that limits the list to users visible to the caller. */
  readonly visible: SQL | undefined
}

const columns = {
  itemId: 'item_id',
  email: 'lower(email)',
  userName: 'lower(user_name)',
  firstName: 'lower(first_name)',
  lastName: 'lower(last_name)',
  createdDate: 'created_date',
  lastUpdatedDate: 'last_updated_date',
  lastLoggedInTime: 'last_logged_in_time',
  logInCount: 'log_in_count',
  active: 'active',
}

const selectUsers = sql`
  select u.*, coalesce((
    select json_agg(json_build_object('organizationId', m.organization_id, 'roles', m.roles,
      'permissions', m.permissions) order by m.position)
    from servicekit.memberships m where m.user_id = u.item_id
  ), '[]') as memberships
  from servicekit.users u`

/** Returns one page of users, and the total count. */
export async function listUsers(tables: Tables, filter: UserFilter, page: PageRequest) {
  const where = whereOf(filter)
  const { rows } = await tables.execute<UserRow>(
    sql`${selectUsers} where ${where} ${pageSql(page, columns)}`,
  )
  const total = await tables.execute<{ n: number }>(
    sql`select count(*)::int as n from servicekit.users u where ${where}`,
  )
  return { rows, totalCount: total.rows[0]!.n }
}

function whereOf(filter: UserFilter): SQL {
  const { email, name, userIds, organizationId, active, mfa, joinedOn, lastLogin, visible } = filter
  const names = sql`concat_ws(' ', u.first_name, u.last_name, u.user_name)`
  return allOf([
    contains(sql`u.email`, email),
    contains(names, name),
    userIds && userIds.length > 0 ? sql`u.item_id = any(${sql.param(userIds)}::text[])` : undefined,
    organizationId
      ? sql`exists (select from servicekit.memberships m
          where m.user_id = u.item_id and m.organization_id = ${organizationId})`
      : undefined,
    active === undefined ? undefined : sql`u.active = ${active}`,
    mfa === undefined ? undefined : sql`u.mfa_enabled = ${mfa}`,
    joinedOn && sql`u.created_date >= ${joinedOn}`,
    lastLogin && sql`u.last_logged_in_time >= ${lastLogin}`,
    visible,
  ])
}

/** Returns the user with an id. */
export async function findUser(tables: Tables, id: string): Promise<UserRow | undefined> {
  const { rows } = await tables.execute<UserRow>(sql`${selectUsers} where u.item_id = ${id}`)
  return rows[0]
}

/** Finds a user by email address or user name. */
export async function findByName(tables: Tables, name: string): Promise<UserRow | undefined> {
  const { rows } = await tables.execute<UserRow>(sql`${selectUsers}
    where lower(u.email) = lower(${name}) or lower(u.user_name) = lower(${name})
    order by (lower(u.email) = lower(${name})) desc limit 1`)
  return rows[0]
}

/** Input for creating a user. */
export interface NewUser {
  readonly itemId: string
  readonly email: string
  readonly userName: string
  readonly passwordHash: string | null
  readonly active: boolean
  readonly isVerified: boolean
  readonly organizationId: string
  readonly memberships: readonly Membership[]
  /**
   * Additional columns by name, such as `first_name`; undefined and null values keep the
   * default.
   */
  readonly columns: Readonly<Record<string, unknown>>
}

/** Inserts a user. @returns the field whose value is already taken by another user. */
export async function insertUser(
  tables: Tables,
  projectId: number,
  user: NewUser,
  now: Date,
  by: string | null,
): Promise<'email' | 'userName' | undefined> {
  const { rows } = await tables.execute<{ email: boolean }>(sql`
    select lower(email) = lower(${user.email}) as email from servicekit.users
    where lower(email) = lower(${user.email}) or lower(user_name) = lower(${user.userName})`)
  if (rows.length > 0) return rows.some(({ email }) => email) ? 'email' : 'userName'
  const values: Record<string, unknown> = {
    ...user.columns,
    project_id: projectId,
    item_id: user.itemId,
    created_date: now,
    last_updated_date: now,
    created_by: by,
    last_updated_by: by,
    email: user.email,
    user_name: user.userName,
    password_hash: user.passwordHash,
    active: user.active,
    is_verified: user.isVerified,
    organization_id: user.organizationId,
  }
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  const inserted = await tables.execute(sql`
    insert into servicekit.users (${sql.raw(given.map(([name]) => name).join())})
    values (${sql.join(
      given.map(([, value]) => sql`${sql.param(value)}`),
      sql`, `,
    )}) on conflict do nothing`)
  // A concurrent request took the address or name.
  if (inserted.rowCount === 0) return 'email'
  await replaceMemberships(tables, projectId, user.itemId, user.memberships)
  return undefined
}

/**
 * Replaces the memberships of a user.
 *
 * @param within organizations whose memberships are replaced; others remain unchanged.
 */
export async function replaceMemberships(
  tables: Tables,
  projectId: number,
  userId: string,
  given: readonly Membership[],
  within: ReadonlySet<string> | 'all' = 'all',
): Promise<void> {
  const isWithin =
    within === 'all' ? sql`true` : sql`organization_id = any(${sql.param([...within])}::text[])`
  await tables.execute(
    sql`delete from servicekit.memberships where user_id = ${userId} and ${isWithin}`,
  )
  // If an organization occurs twice, the last entry wins.
  const byId = new Map(given.map((one) => [one.organizationId, one]))
  if (byId.size === 0) return
  await tables.insert(memberships).values(
    [...byId.values()].map(({ organizationId, roles, permissions }, position) => ({
      projectId,
      userId,
      organizationId,
      position,
      roles: [...new Set(roles)],
      permissions: [...new Set(permissions)],
    })),
  )
}

/** Replaces a user's roles and permissions within one organization. */
export async function replaceAccess(
  tables: Tables,
  projectId: number,
  userId: string,
  { organizationId, roles, permissions }: Membership,
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.memberships
      (project_id, user_id, organization_id, position, roles, permissions)
    values (${projectId}, ${userId}, ${organizationId},
      (select count(*) from servicekit.memberships where user_id = ${userId}),
      ${sql.param([...new Set(roles)])}::text[], ${sql.param([...new Set(permissions)])}::text[])
    on conflict (project_id, user_id, organization_id) do update
      set roles = excluded.roles, permissions = excluded.permissions`)
}

/** Updates columns of a user. @returns true if the user exists. */
export async function updateUser(
  tables: Tables,
  id: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const sets = given.map(([name, value]) => sql`${sql.raw(name)} = ${sql.param(value)}`)
  const { rowCount } = await tables.execute(sql`
    update servicekit.users set ${sql.join(sets, sql`, `)} where item_id = ${id}`)
  return rowCount === 1
}
