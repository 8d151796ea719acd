/**
 * Moves an application from i18next to typed imports: `servicekit migrate`. Kept
 * apart from the index, since it brings the TypeScript parser along.
 */
export {
  type LeftCall,
  migrate,
  type MigratedFile,
  type MigrateOptions,
  type MigrateReport,
} from './migrate/migrate.ts'
