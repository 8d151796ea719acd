import type pg from 'pg'
import { PlatformError } from '../errors.ts'

/** Role in which requests run. Row-level security applies to it, unlike to superusers. */
const appRole = 'servicekit_app'
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
): Promise<string | undefined> {
  if (!hasNewTables && (await canSetRole(client))) return setRole
  await grant(client)
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

async function grant(client: pg.ClientBase): Promise<void> {
  await client.query(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${appRole}') then
        create role ${appRole} nologin;
      end if;
      if not pg_has_role(current_user, '${appRole}', 'member') then
        grant ${appRole} to current_user;
      end if;
      grant usage on schema servicekit to ${appRole};
      grant select, insert, update, delete on all tables in schema servicekit to ${appRole};
      revoke all on servicekit.migrations from ${appRole};
      revoke update, delete on servicekit.audit from ${appRole};
    exception
      -- Another instance was faster, or the user may not create roles.
      when duplicate_object or unique_violation or insufficient_privilege then null;
    end $$;
  `)
}
