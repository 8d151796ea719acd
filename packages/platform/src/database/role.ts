import type pg from 'pg'
import { PlatformError } from '../errors.ts'

/** The role that requests run in. Row-level security applies to it, as it does not to superusers. */
const appRole = 'servicekit_app'

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
  let rights = await readRights(client)
  if (hasNewTables || !rights.isMember) {
    await grant(client)
    rights = await readRights(client)
  }
  if (rights.isMember) return `set role ${appRole}`
  if (!rights.bypasses) return undefined
  throw new PlatformError(
    'DATABASE_INCOMPATIBLE',
    'The database user bypasses row-level security and may not make a role that does not.',
    { help: `Grant it the role ${appRole}, or connect as a user without BYPASSRLS.` },
  )
}

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

async function readRights(client: pg.ClientBase) {
  const { rows } = await client.query<{ isMember: boolean; bypasses: boolean }>(`
    select
      exists (
        select from pg_roles
        where rolname = '${appRole}' and pg_has_role(current_user, oid, 'member')
      ) as "isMember",
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses
  `)
  return rows[0]!
}
