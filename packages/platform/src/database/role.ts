import type pg from 'pg'
import { PlatformError } from '../errors.ts'
import { changeTables, type OnNotice } from './lock-timeout.ts'
import { withMigrationLock } from './migrate.ts'

/** Role in which requests run. Row-level security applies to it, unlike to superusers. */
export const appRole = 'servicekit_app'
/** Role in which `pg_dump` reads the rows of all projects. */
export const backupRole = 'servicekit_backup'
const setRole = `set role ${appRole}`

/**
 * Creates the application's role, if the user may do so, and grants its privileges.
 *
 * @param hasNewTables true if migrations were applied, so that privileges must be granted.
 * @returns the statement to run on each new connection, or undefined if row-level
 * security already applies to the connection's user.
 * @throws PlatformError `DATABASE_INCOMPATIBLE` if neither is possible.
 */
export async function prepareRole(
  client: pg.ClientBase,
  hasNewTables: boolean,
  onNotice: OnNotice = () => {},
): Promise<string | undefined> {
  if (!hasNewTables && (await canSetRole(client)) && (await isGranted(client))) return setRole
  // PostgreSQL fails if two sessions grant privileges on the same tables.
  await withMigrationLock(client, () =>
    changeTables(client, 'The change of privileges', onNotice, () => grantRoles(client)),
  )
  if (await canSetRole(client)) return setRole
  const { rows } = await client.query<{ bypasses: boolean }>(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  )
  if (!rows[0]!.bypasses) return undefined
  throw new PlatformError(
    'DATABASE_INCOMPATIBLE',
    'The database user bypasses row-level security and cannot create a role that does not.',
    { help: `Grant it the role ${appRole}, or connect as a user without BYPASSRLS.` },
  )
}

const canSetRole = (client: pg.ClientBase): Promise<boolean> =>
  client.query(`${setRole}; reset role`).then(
    () => true,
    () => false,
  )

/** Returns whether the roles of the user have privileges: an administrator may just have granted them. */
async function isGranted(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isGranted: boolean }>(`
    select coalesce(bool_and(has_table_privilege(oid, 'servicekit.languages', 'select')), true)
      as "isGranted"
    from pg_roles where rolname in ('${appRole}', '${backupRole}')
      and pg_has_role(current_user, oid, 'member')`)
  return rows[0]!.isGranted
}

/** Creates the roles, if the user may do so, and grants their privileges on the tables. */
async function grantRoles(client: pg.ClientBase): Promise<void> {
  await client.query(
    grantSql(
      appRole,
      `grant select, insert, update, delete on all tables in schema servicekit to ${appRole};
      revoke all on servicekit.migrations from ${appRole};
      revoke update, delete on servicekit.audit from ${appRole};`,
    ),
  )
  // The condition excludes users that inherit the privileges of the role. Their own statements
  // would be slow with it, so that requests must run in the application's role.
  await client.query(
    grantSql(
      backupRole,
      `if not pg_has_role(current_user, '${appRole}', 'member') then return; end if;
      grant select on all tables in schema servicekit to ${backupRole};
      grant select on all sequences in schema servicekit to ${backupRole};
      for name in
        select tablename from pg_tables t where schemaname = 'servicekit' and rowsecurity
          and not exists (select from pg_policies p where p.schemaname = t.schemaname
            and p.tablename = t.tablename and p.policyname = '${backupRole}')
      loop
        execute format('create policy ${backupRole} on servicekit.%I for select to ${backupRole}
          using (current_user = ''${backupRole}'')', name);
      end loop;`,
    ),
  )
}

const grantSql = (role: string, statements: string): string => `
  do $$ declare name text; begin
    begin
      if not exists (select from pg_roles where rolname = '${role}') then
        create role ${role} nologin;
      end if;
      if not pg_has_role(current_user, '${role}', 'member') then
        grant ${role} to current_user;
      end if;
    exception
      -- Another instance, perhaps on another database of the server, was faster.
      when duplicate_object or unique_violation then null;
    end;
    grant usage on schema servicekit to ${role};
    ${statements}
  exception
    -- Another instance was faster, or the user may not create roles.
    when duplicate_object or unique_violation or insufficient_privilege or undefined_object
      then null;
  end $$;`
