import type { Migration } from './migration.ts'

/** Removes the epochs: every request reads its authorization from the database. */
export const dropEpochs: Migration = {
  id: '0405-drop-epochs',
  sql: `
    drop trigger sessions_end on servicekit.sessions;
    drop trigger tokens_end on servicekit.oidc_states;
    drop trigger users_end on servicekit.users;
    drop trigger memberships_end on servicekit.memberships;
    drop trigger settings_change on servicekit.secrets;
    drop function servicekit.next_epoch();
    drop table servicekit.epochs;
  `,
}
