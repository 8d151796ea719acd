import type { Migration } from './migration.ts'

/** Removes the versions of translation files, which only a former cache compared. */
export const dropFileVersions: Migration = {
  id: '0411-drop-file-versions',
  sql: 'drop table servicekit.files',
}
