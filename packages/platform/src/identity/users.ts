import { type idp, userRecords } from '@servicekit/contract'
import { and, eq, getTableColumns, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { callFunction } from '../database/call-function.ts'
import type { Tables, Unscoped } from '../database/database.ts'
import { contains, type PageRequest, readPage } from '../database/list-page.ts'
import { memberships, users } from '../database/tables.ts'
import type { AccountKey } from './attempts.ts'
import { endSessionsOf } from './sessions.ts'

/** Roles and permissions within one organization (section 2.2). */
export interface Membership {
  readonly organizationId: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
}

const { emailLower, userNameLower, ...stored } = getTableColumns(users)
const columns = {
  ...stored,
  memberships: sql<readonly Membership[]>`coalesce((
    select json_agg(json_build_object('organizationId', m.organization_id, 'roles', m.roles,
      'permissions', m.permissions) order by m.position)
    from servicekit.memberships m where m.user_id = users.item_id
  ), '[]')`,
}

type StoredUser = Omit<typeof users.$inferSelect, 'emailLower' | 'userNameLower'>

export type User = StoredUser & { readonly memberships: readonly Membership[] }

/** Converts a user to the account of section 2.1, without sign-in data. */
export const toAccount = (user: User): userRecords.Account => recordOf(user, userRecords.Account)

/** Converts a user to the record of section 2.1. */
export const toUser = (user: User): userRecords.User => recordOf(user, userRecords.User)

/** Picks the members of a schema of the contract, which spells `isVarified` this way. */
export function recordOf<S extends z.ZodObject>(user: User, { shape }: S): z.infer<S> {
  const stored: Readonly<Record<string, unknown>> = { ...user, isVarified: user.isVerified }
  const names = Object.keys(shape).filter((name) => name in stored && name !== 'isVerified')
  return Object.fromEntries(names.map((name) => [name, stored[name]])) as z.infer<S>
}

/** Returns the first and last name of a user, or the user name without them. */
export const displayNameOf = ({
  firstName,
  lastName,
  userName,
}: Pick<User, 'firstName' | 'lastName' | 'userName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || userName

/** Expression for the display name of a row of `users`. */
export const displayName = (user: SQL): SQL => sql`coalesce(nullif(concat_ws(' ',
  nullif(${user}.first_name, ''), nullif(${user}.last_name, '')), ''), ${user}.user_name)`

/** Expression for the names of users by their ids, as `PersonName` describes them. */
export const namesOf = (ids: SQL): SQL => sql`(
  select coalesce(json_agg(json_build_object('id', i.id,
    'name', coalesce(${displayName(sql`u`)}, i.id), 'isActive', coalesce(u.active, false))
    order by i.position), '[]')
  from unnest(${ids}) with ordinality i (id, position)
  -- The limit makes PostgreSQL look each user up by its primary key.
  left join lateral (select * from servicekit.users where item_id = i.id limit 1) u on true)`

/** Returns the names of users by their ids; of users who do not exist, the ids. */
export async function readUserNames(tables: Tables, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { rows } = await tables.execute<{ names: { id: string; name: string }[] }>(
    sql`select ${namesOf(sql`${sql.param([...ids])}::text[]`)} as names`,
  )
  return rows[0]!.names
}

/** Converts a user to a record with the access within one organization, as in iam v4. */
export function toUserIn(user: User, organizationId: string | undefined) {
  const wanted = organizationId ?? user.organizationId
  const access =
    user.memberships.find((one) => one.organizationId === wanted) ??
    (organizationId === undefined ? user.memberships[0] : undefined)
  return {
    ...toUser(user),
    roles: access?.roles ?? [],
    permissions: access?.permissions ?? [],
    attributes: user.attributes,
  }
}

export const isMemberOf = (organizationIds: readonly string[]): SQL => sql`exists (
  select from servicekit.memberships m where m.user_id = users.item_id
    and m.organization_id = any(${sql.param(organizationIds)}::text[]))`

type AccountsFilter = NonNullable<idp.AccountsRequest['filter']>

/** Filter of the user list. Dates are lower bounds. */
export interface UserFilter extends Pick<
  AccountsFilter,
  'email' | 'name' | 'userIds' | 'organizationId'
> {
  readonly active?: boolean | undefined
  readonly mfa?: boolean | undefined
  readonly joinedOn?: Date | undefined
  readonly lastLogin?: Date | undefined
  /** Condition that limits the list to users visible to the caller. */
  readonly visible: SQL | undefined
}

const sortable = {
  itemId: users.itemId,
  email: emailLower,
  userName: userNameLower,
  firstName: sql`lower(first_name)`,
  lastName: sql`lower(last_name)`,
  createdDate: users.createdDate,
  lastUpdatedDate: users.lastUpdatedDate,
  lastLoggedInTime: users.lastLoggedInTime,
  logInCount: users.logInCount,
  active: users.active,
}

export async function listUsers(tables: Tables, filter: UserFilter, page: PageRequest) {
  const { email, name, userIds, organizationId, active, mfa, joinedOn, lastLogin } = filter
  const where = and(
    contains(users.email, email),
    contains(sql`concat_ws(' ', first_name, last_name, user_name)`, name),
    userIds && userIds.length > 0 ? inArray(users.itemId, [...userIds]) : undefined,
    organizationId ? isMemberOf([organizationId]) : undefined,
    active === undefined ? undefined : eq(users.active, active),
    mfa === undefined ? undefined : eq(users.mfaEnabled, mfa),
    joinedOn && gte(users.createdDate, joinedOn),
    lastLogin && gte(users.lastLoggedInTime, lastLogin),
    filter.visible,
  )
  const all = tables.select(columns).from(users).$dynamic()
  return readPage(tables, all, users, where, page, sortable)
}

export async function findUser(tables: Tables, id: string, forUpdate = false) {
  const query = tables.select(columns).from(users).where(eq(users.itemId, id))
  const [user] = await (forUpdate ? query.for('update') : query)
  return user
}

/** User as a sign-in sees it: without times and memberships. */
export type SignInUser = Omit<StoredUser, 'createdDate' | 'lastUpdatedDate' | 'lastLoggedInTime'>

/** Converts a row of `users` as PostgreSQL prints it. */
function toSignInUser(row: Readonly<Record<string, unknown>>): SignInUser {
  const { createdDate, lastUpdatedDate, lastLoggedInTime, ...kept } = stored
  const members = Object.entries(kept).map(([name, column]) => [name, row[column.name]])
  return Object.fromEntries(members) as SignInUser
}

/** Finds a user of a project, in one statement without a scope. */
export async function findUserOf(unscoped: Unscoped, projectId: number, id: string) {
  const call = sql`find_user(${projectId}, ${id})`
  const row = await callFunction<Readonly<Record<string, unknown>>>(unscoped, call)
  return row && toSignInUser(row)
}

/**
 * Finds the user of a name or e-mail address that somebody entered, and the key under which guesses
 * for this account are counted. Only the database knows its rules of case: it may map `İ` to `i`,
 * which `toLowerCase` does not.
 */
export async function findAccount(
  unscoped: Unscoped,
  projectId: number,
  given: string,
): Promise<{ readonly user: SignInUser | undefined; readonly key: AccountKey }> {
  const name = given.trim()
  if (name.includes('\0')) return { user: undefined, key: { unknownName: name } }
  type Found = { readonly name: string; readonly user: Record<string, unknown> | null }
  const call = sql`find_account(${projectId}, ${name})`
  const found = (await callFunction<Found>(unscoped, call))!
  const user = found.user ? toSignInUser(found.user) : undefined
  return { user, key: user ? { userId: user.itemId } : { unknownName: found.name } }
}

export async function findByName(tables: Tables, name: string): Promise<User | undefined> {
  // PostgreSQL rejects strings with U+0000; no user has such a name.
  if (name.includes('\0')) return undefined
  const hasEmail = sql`${emailLower} = lower(${name})`
  const [user] = await tables
    .select(columns)
    .from(users)
    .where(sql`${hasEmail} or ${userNameLower} = lower(${name})`)
    .orderBy(sql`${hasEmail} desc`)
    .limit(1)
  return user
}

/** Condition for users with one of the email addresses, in any case. */
export const hasEmailOf = (emails: readonly string[]): SQL =>
  sql`${emailLower} in (select lower(one) from unnest(${sql.param(emails)}::text[]) one)`

/** Members of a user that requests and files may set. */
const editable = [
  'salutation',
  'firstName',
  'lastName',
  'phoneNumber',
  'language',
  'tags',
  'platform',
  'profileImageUrl',
  'profileImageId',
  'userPassType',
  'userCreationType',
  'verifiedType',
  'userMfaType',
  'mfaEnabled',
  'allowedLogInType',
  'attributes',
] as const satisfies readonly (keyof User)[]

type Editable = Partial<Pick<User, (typeof editable)[number]>>

/** Picks the editable members that are neither undefined nor null. */
export const editableOf = (given: Readonly<Record<string, unknown>>): Editable =>
  Object.fromEntries(editable.flatMap((name) => (given[name] == null ? [] : [[name, given[name]]])))

type NewUser = Pick<User, 'memberships'> &
  Omit<typeof users.$inferInsert, 'projectId' | 'createdDate' | 'lastUpdatedDate'>

/** Inserts a user. @returns the field whose value is already taken by another user. */
export async function insertUser(
  tables: Tables,
  projectId: number,
  { memberships: given, ...user }: NewUser,
  now: Date,
  by: string | null,
): Promise<'email' | 'userName' | undefined> {
  const stored = { createdDate: now, lastUpdatedDate: now, createdBy: by, lastUpdatedBy: by }
  const { rowCount } = await tables
    .insert(users)
    .values({ ...user, ...stored, projectId })
    .onConflictDoNothing()
  if (rowCount === 0) {
    const hasEmail = sql`${emailLower} = lower(${user.email})`
    return (await tables.$count(users, hasEmail)) > 0 ? 'email' : 'userName'
  }
  await replaceMemberships(tables, projectId, user.itemId, given)
  return undefined
}

/**
 * Updates a user; undefined keeps a value. A new password and a deactivation end all sessions of
 * the user and the codes that were mailed, whoever makes the change.
 *
 * @returns true if the user exists.
 */
export async function updateUser(
  tables: Tables,
  id: string,
  changes: PgUpdateSetSource<typeof users>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tables.update(users).set(changes).where(eq(users.itemId, id))
  if (changes.passwordHash !== undefined || changes.active === false) {
    await endSessionsOf(tables, id, now)
  }
  return rowCount === 1
}

/** Replaces a user's memberships in all organizations, or in those of `within`. */
export async function replaceMemberships(
  tables: Tables,
  projectId: number,
  userId: string,
  given: readonly Membership[],
  within: ReadonlySet<string> | 'all' = 'all',
): Promise<void> {
  await tables
    .delete(memberships)
    .where(
      and(
        eq(memberships.userId, userId),
        within === 'all' ? undefined : inArray(memberships.organizationId, [...within]),
      ),
    )
  // If an organization occurs twice, the last entry wins.
  const byId = new Map(given.map((one) => [one.organizationId, one]))
  for (const [position, one] of [...byId.values()].entries()) {
    await tables.insert(memberships).values({ projectId, userId, position, ...withoutRepeats(one) })
  }
}

export async function replaceAccess(
  tables: Tables,
  projectId: number,
  userId: string,
  membership: Membership,
): Promise<void> {
  const { organizationId, ...access } = withoutRepeats(membership)
  const position = sql`(select count(*) from servicekit.memberships where user_id = ${userId})`
  await tables
    .insert(memberships)
    .values({ projectId, userId, organizationId, position, ...access })
    .onConflictDoUpdate({
      target: [memberships.projectId, memberships.userId, memberships.organizationId],
      set: access,
    })
}

const withoutRepeats = ({ organizationId, roles, permissions }: Membership) => ({
  organizationId,
  roles: [...new Set(roles)],
  permissions: [...new Set(permissions)],
})
