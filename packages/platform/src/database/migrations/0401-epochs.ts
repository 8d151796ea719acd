import type { Migration } from './migration.ts'

/**
 * Epoch of each project, incremented whenever a caller might lose access: a session ends,
 * a token is removed, a user is deactivated, a role is removed, or settings become
 * stricter. Instances cache authorization as long as the epoch is unchanged.
 *
 * The triggers are deferred: at the end of a transaction all other locks are already
 * held, so that locking this row cannot cause a deadlock.
 */
export const epochs: Migration = {
  id: '0401-epochs',
  sql: `
    create table servicekit.epochs (
      id int primary key,
      epoch bigint not null
    );
    create function servicekit.next_epoch() returns trigger language plpgsql as $$ begin
      insert into servicekit.epochs as e (id, epoch)
      values (coalesce(new.project_id, old.project_id), 1)
      on conflict (id) do update set epoch = e.epoch + 1
        where e.xmin <> pg_current_xact_id()::xid;
      return null;
    end $$;
    ${[
      `sessions_end after update of revoked_at, organization_id or delete on servicekit.sessions`,
      `tokens_end after update of payload, grant_id, account_id, expires_at or delete on servicekit.oidc_states`,
      `users_end after update of active or delete on servicekit.users`,
      `memberships_end after update or delete on servicekit.memberships`,
      `settings_change after insert or update or delete on servicekit.secrets`,
    ]
      .map(
        (trigger) => `
    create constraint trigger ${trigger} deferrable initially deferred
      for each row ${trigger.startsWith('tokens') ? `when (old.kind in ('AccessToken', 'ClientCredentials'))` : ''}
      execute function servicekit.next_epoch();`,
      )
      .join('')}
  `,
}
