/** Columns of every identity entity. */
const entity = `seq bigint generated always as identity,
    project_id int not null,
    item_id text not null,
    created_date timestamptz not null,
    last_updated_date timestamptz not null,
    created_by text,
    last_updated_by text,`

/**
 * All tables, hand-written: drizzle-kit cannot express `force row level security`, unlogged
 * tables and initial rows. The definitions for typed queries name only the columns that
 * they use; a test compares them with these tables.
 *
 * No table has foreign keys, because their triggers take a third of the time of a first
 * start. Removing a project therefore empties every table with a `project_id`.
 */
export const initial = `
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
    created_at timestamptz not null default now()
  );
  -- Hash of each project file that was loaded, so that a restart applies only changed files.
  create table servicekit.sources (
    project_id int not null,
    path text not null,
    hash text not null,
    primary key (project_id, path)
  );

  create table servicekit.languages (
    id int generated always as identity primary key,
    project_id int not null,
    item_id text not null,
    name text not null,
    code text not null,
    is_default boolean not null,
    position int not null,
    is_draft boolean not null default false,
    unique (project_id, code)
  );
  create table servicekit.modules (
    id int generated always as identity primary key,
    project_id int not null,
    item_id text not null,
    name text not null,
    position int not null,
    is_draft boolean not null default false,
    unique (project_id, name)
  );
  create table servicekit.keys (
    id int generated always as identity primary key,
    project_id int not null,
    module_id int not null,
    key text not null,
    unique (module_id, key)
  );
  create table servicekit.texts (
    project_id int not null,
    module_id int not null,
    language_id int not null,
    key_id int not null,
    value text,
    primary key (module_id, language_id, key_id)
  );
  -- Unpublished translations; language 0 marks a key to remove.
  create table servicekit.drafts (
    project_id int not null,
    module_id int not null,
    language_id int not null,
    key text not null,
    value text,
    primary key (module_id, key, language_id)
  );
  create table servicekit.translations (
    id bigint generated always as identity primary key,
    project_id int not null,
    item_id text not null,
    state text not null default 'waiting',
    request json not null,
    total int not null default 0,
    filled int not null default 0,
    unanswered int not null default 0,
    error text,
    created_at timestamptz not null,
    finished_at timestamptz
  );
  create index translations_order on servicekit.translations (project_id, id);

  create table servicekit.data_schemas (
    id int generated always as identity primary key,
    project_id int not null,
    position int not null,
    name text not null,
    definition json not null,
    unique (project_id, name)
  );
  -- A draft without a definition removes its schema.
  create table servicekit.schema_drafts (
    project_id int not null,
    name text not null,
    definition json,
    primary key (project_id, name)
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

  create table servicekit.organizations (
    ${entity}
    name text not null,
    description text,
    is_disabled boolean not null default false,
    default_roles text[] not null default '{}',
    default_permissions text[] not null default '{}',
    created_from int not null default 0,
    attributes jsonb not null default '{}',
    primary key (project_id, item_id)
  );
  create table servicekit.users (
    ${entity}
    email text not null,
    user_name text not null,
    password_hash text,
    salutation text,
    first_name text,
    last_name text,
    phone_number text,
    language text,
    platform text,
    profile_image_url text,
    profile_image_id text,
    organization_id text,
    tags text[] not null default '{}',
    active boolean not null,
    is_verified boolean not null,
    mfa_enabled boolean not null default false,
    is_mfa_verified boolean not null default false,
    user_mfa_type int not null default 0,
    user_creation_type int not null default 0,
    user_pass_type int not null default 0,
    verified_type int not null default 0,
    allowed_log_in_type int[] not null default '{}',
    attributes jsonb not null default '{}',
    last_logged_in_time timestamptz,
    last_logged_in_device_info text,
    log_in_count int not null default 0,
    primary key (project_id, item_id)
  );
  create unique index users_email on servicekit.users (project_id, lower(email));
  create unique index users_user_name on servicekit.users (project_id, lower(user_name));
  create table servicekit.memberships (
    project_id int not null,
    user_id text not null,
    organization_id text not null,
    position int not null,
    roles text[] not null default '{}',
    permissions text[] not null default '{}',
    primary key (project_id, user_id, organization_id)
  );
  create index memberships_organization
    on servicekit.memberships (project_id, organization_id, user_id);
  create table servicekit.roles (
    ${entity}
    slug text not null,
    name text not null,
    description text,
    ancestor_role_slugs text[] not null default '{}',
    primary key (project_id, slug)
  );
  create table servicekit.permissions (
    ${entity}
    name text not null,
    type int not null default 0,
    description text,
    resource text,
    resource_group text,
    is_built_in boolean not null default false,
    is_archived boolean not null default false,
    roles text[] not null default '{}',
    primary key (project_id, name)
  );
  create table servicekit.clients (
    project_id int not null,
    client_id text not null,
    name text not null,
    secret_hash text,
    redirect_uris text[] not null default '{}',
    post_logout_redirect_uris text[] not null default '{}',
    organizations text[],
    roles text[] not null default '{}',
    primary key (project_id, client_id)
  );
  -- Codes, tokens and session ids are stored as hashes: a copy of the database grants no access.
  create table servicekit.one_time_codes (
    project_id int not null,
    hash text not null,
    user_id text not null,
    expires_at timestamptz not null,
    primary key (project_id, hash)
  );
  create table servicekit.mails (
    seq bigint generated always as identity,
    project_id int not null,
    item_id text not null,
    recipient text not null,
    purpose text not null,
    subject text not null,
    body text not null,
    code text,
    link text,
    created_date timestamptz not null,
    primary key (project_id, item_id)
  );
  create table servicekit.oidc_states (
    project_id int not null,
    kind text not null,
    hash text not null,
    payload json not null,
    uid text,
    grant_id text,
    account_id text,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    successor text,
    primary key (project_id, kind, hash)
  );
  create index oidc_states_grant on servicekit.oidc_states (project_id, grant_id);
  create index oidc_states_uid on servicekit.oidc_states (project_id, uid);
  create index oidc_states_account on servicekit.oidc_states (project_id, account_id);
  create table servicekit.sessions (
    project_id int not null,
    hash text not null,
    session_id text not null,
    user_id text not null,
    client_id text not null,
    organization_id text,
    grant_id text not null,
    created_at timestamptz not null,
    last_activity_at timestamptz not null,
    idle_expires_at timestamptz not null,
    absolute_expires_at timestamptz not null,
    revoked_at timestamptz,
    primary key (project_id, hash)
  );
  create index sessions_grant on servicekit.sessions (project_id, grant_id);
  create index sessions_user on servicekit.sessions (project_id, user_id);
  create table servicekit.secrets (
    project_id int not null,
    name text not null,
    value json not null,
    primary key (project_id, name)
  );

  -- A file is created with its upload URL; stored_at is null until its content is uploaded.
  create table servicekit.stored_files (
    seq bigint generated always as identity,
    project_id int not null,
    item_id text not null,
    name text not null,
    parent_directory_id text,
    system_name text not null,
    access_modifier text not null,
    meta_data json not null,
    tags text[] not null default '{}',
    module_name int not null,
    configuration_name text not null,
    content_type text,
    size_in_bytes bigint,
    current_version int not null default 0,
    created_date timestamptz not null,
    last_updated_date timestamptz not null,
    created_by text,
    stored_at timestamptz,
    primary key (project_id, item_id)
  );
  create index stored_files_directory
    on servicekit.stored_files (project_id, parent_directory_id, seq);

  create table servicekit.webhooks (
    project_id int primary key,
    item_id text not null,
    url text not null,
    content_type text not null,
    secret text,
    header_key text,
    is_disabled boolean not null,
    signing_secret text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create table servicekit.deliveries (
    id bigint generated always as identity primary key,
    project_id int not null,
    message_id text not null,
    kind text not null,
    body text not null,
    state text not null default 'pending',
    created_at timestamptz not null
  );
  create index deliveries_order on servicekit.deliveries (project_id, id);
  create table servicekit.attempts (
    id bigint generated always as identity primary key,
    project_id int not null,
    delivery_id bigint not null,
    made_at timestamptz not null,
    url text not null,
    status int,
    error text,
    duration_ms int not null
  );
  create index attempts_delivery on servicekit.attempts (project_id, delivery_id, id);

  create table servicekit.tools (
    project_id int not null,
    item_id text not null,
    name text not null,
    description text not null,
    auth json not null,
    tutorial json,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (project_id, item_id)
  );
  create table servicekit.agents (
    project_id int not null,
    item_id text not null,
    name text not null,
    status text not null,
    tool_ids text[] not null,
    primary key (project_id, item_id)
  );
  create table servicekit.tool_flows (
    project_id int not null,
    state_hash text not null,
    tool_id text not null,
    verifier text,
    expires_at timestamptz not null,
    primary key (project_id, state_hash)
  );
  -- Tokens are encrypted. One instance at a time refreshes a token, because a refresh token
  -- that is used twice is treated as stolen.
  create table servicekit.tool_tokens (
    project_id int not null,
    tool_id text not null,
    access_token text not null,
    refresh_token text,
    token_type text not null,
    scope text,
    expires_at timestamptz,
    received_at timestamptz not null,
    renewing_until timestamptz,
    primary key (project_id, tool_id)
  );
  -- Search matches words as written, and ranks the question above the answer.
  create table servicekit.knowledge (
    id bigint generated always as identity primary key,
    project_id int not null,
    agent_id text not null,
    question text not null,
    answer text not null,
    created_at timestamptz not null,
    words tsvector generated always as (
      setweight(to_tsvector('simple', question), 'A')
      || setweight(to_tsvector('simple', answer), 'B')
    ) stored
  );
  create index knowledge_words on servicekit.knowledge using gin (words);
  create index knowledge_agent on servicekit.knowledge (project_id, agent_id, id);

  -- Only references: the queue is read across projects, and therefore not isolated.
  create table servicekit.jobs (
    id bigint generated always as identity primary key,
    kind text not null,
    for_project int not null,
    subject bigint not null,
    run_at timestamptz not null,
    tries int not null default 0,
    locked_until timestamptz
  );
  create index jobs_due on servicekit.jobs (run_at, id);
  -- Token buckets of rate limits, which may be lost in a crash; full_at is in ms.
  create unlogged table servicekit.rate_limits (
    key text primary key,
    full_at double precision not null
  );
  create index on servicekit.rate_limits (full_at);
  -- The row that readiness probes write.
  create table servicekit.heartbeats (
    id int primary key,
    beat_at timestamptz not null
  );

  -- Limits each transaction to the rows of its project. "force" includes the owner, for
  -- installations without the application's role. A sub-select runs once for each statement
  -- instead of once for each row.
  do $$ declare name text; begin
    for name in
      select table_name from information_schema.columns
      where table_schema = 'servicekit' and column_name = 'project_id'
    loop
      execute format('alter table servicekit.%I enable row level security', name);
      execute format('alter table servicekit.%I force row level security', name);
      execute format('create policy project on servicekit.%I using (project_id =
        (select nullif(current_setting(''servicekit.project'', true), '''')::int))', name);
    end loop;
  end $$;

  -- The project that the uilm routes serve if the project header is absent (section 4.6).
  insert into servicekit.projects (key, name, organization_id, fallback, dialect)
  values ('servicekit-shared', 'Shared', '', 'en-US', '{}');
  select set_config('servicekit.project', id::text, true) from servicekit.projects;
  insert into servicekit.languages (project_id, item_id, name, code, is_default, position)
  select id, '00000000-0000-4000-8000-000000000001', 'English (United States)', 'en-US', true, 1
  from servicekit.projects;
`
