/**
 * Implements `servicekit migrate`: moves an application from i18next to typed imports.
 * Separate from the package index because it loads the TypeScript parser.
 */
export {
  type LeftCall,
  migrate,
  type MigratedFile,
  type MigrateOptions,
  type MigrateReport,
} from './migrate/migrate.ts'
