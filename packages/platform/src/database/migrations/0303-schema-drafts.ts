import { isolate, type Migration } from './migration.ts'

/** Unpublished changes of data schemas; a row without a definition removes its schema. */
export const schemaDrafts: Migration = {
  id: '0303-schema-drafts',
  sql: `
    create table servicekit.schema_drafts (
      project_id int not null,
      name text not null,
      definition json,
      primary key (project_id, name)
    );
    ${isolate('schema_drafts')}
  `,
}
