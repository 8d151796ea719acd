import { isolate, type Migration } from './migration.ts'

/** Data schemas, stored as given, and the records of the gateway. */
export const data: Migration = {
  id: '0003-data',
  sql: `
    create table servicekit.data_schemas (
      id int generated always as identity primary key,
      project_id int not null,
      position int not null,
      name text not null,
      definition json not null,
      unique (project_id, name)
    );
    create table servicekit.records (
      seq bigint generated always as identity,
      project_id int not null,
      schema_name text not null,
      item_id text not null,
      created_date timestamptz not null,
      last_updated_date timestamptz not null,
      created_by text,
      last_updated_by text,
      language text,
      organization_id text,
      tags text[] not null default '{}',
      data jsonb not null,
      primary key (project_id, schema_name, item_id)
    );
    create index records_order on servicekit.records (project_id, schema_name, seq);
    ${['data_schemas', 'records'].map(isolate).join('')}
  `,
}
