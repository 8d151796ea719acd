import type pg from 'pg'
import { PlatformError } from '../errors.ts'

/** The role that requests run in. Row-level security applies to it, as it does not to superusers. */
const appRole = 'servicekit_app'
const setRole = `set role ${appRole}`

/**
 * Makes the application's role where that is allowed, and gives it its rights.
 *
 * @param hasNewTables whether migrations were applied, so that rights are due.
 * @returns the statement that a new connection begins with, or undefined where
 * the user of the connection is itself subject to row-level security.
 * @throws PlatformError `DATABASE_INCOMPATIBLE` when neither is so.
 */
export async function prepareRole(
  client: pg.ClientBase,
  hasNewTables: boolean,
): Promise<string | undefined> {
  if (hasNewTables) await grant(client)
  if (await canSetRole(client)) return setRole
  if (!hasNewTables) {
    await grant(client)
    if (await canSetRole(client)) return setRole
  }
  const { rows } = await client.query<{ bypasses: boolean }>(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  )
  if (!rows[0]!.bypasses) return undefined
  throw new PlatformError(
    'DATABASE_INCOMPATIBLE',
    'The database user bypasses row-level security and may not make a role that does not.',
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
    exception
      -- Another instance was faster, or the user may not make roles.
      when duplicate_object or unique_violation or insufficient_privilege then null;
    end $$;
  `)
}
