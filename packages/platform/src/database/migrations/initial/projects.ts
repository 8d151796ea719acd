/** Projects and the files that they were loaded from. */
export const projectTables = `
  -- Maps keys to projects, and is therefore visible without a scope. The versions tell every
  -- instance whether its caches are current.
  create table servicekit.projects (
    id int generated always as identity primary key,
    key text not null unique check (length(key) between 1 and 64),
    name text not null,
    organization_id text not null,
    fallback text not null,
    dialect json not null,
    origins text[] not null default '{}',
    texts_version bigint not null default 1,
    schemas_version bigint not null default 1,
    created_at timestamptz not null default now(),
    publish_only_reviewed boolean not null default false
  );
  -- Hash of each project file that was loaded, so that a restart applies only changed files.
  create table servicekit.sources (
    project_id int not null references servicekit.projects on delete cascade,
    path text not null,
    hash text not null,
    primary key (project_id, path)
  );
`
