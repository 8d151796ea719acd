/** Data schemas and their records. */
export const dataTables = `
  create table servicekit.data_schemas (
    id int generated always as identity primary key,
    project_id int not null references servicekit.projects on delete cascade,
    position int not null,
    name text not null,
    definition json not null,
    unique (project_id, name)
  );
  -- A draft without a definition removes its schema.
  create table servicekit.schema_drafts (
    project_id int not null references servicekit.projects on delete cascade,
    name text not null,
    definition json,
    primary key (project_id, name)
  );
  create table servicekit.records (
    seq bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
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
`
