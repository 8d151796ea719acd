-- Database of the last version before migrations 0001 to 0013 became one, without roles and privileges.
create schema servicekit;
create table servicekit.migrations (
  id text primary key, hash text not null, applied_at timestamptz not null default now()
);

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
    seq bigint generated always as identity,
    project_id int not null,
    item_id text not null,
    created_date timestamptz not null,
    last_updated_date timestamptz not null,
    created_by text,
    last_updated_by text,
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
    seq bigint generated always as identity,
    project_id int not null,
    item_id text not null,
    created_date timestamptz not null,
    last_updated_date timestamptz not null,
    created_by text,
    last_updated_by text,
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
    seq bigint generated always as identity,
    project_id int not null,
    item_id text not null,
    created_date timestamptz not null,
    last_updated_date timestamptz not null,
    created_by text,
    last_updated_by text,
    slug text not null,
    name text not null,
    description text,
    ancestor_role_slugs text[] not null default '{}',
    primary key (project_id, slug)
  );
  create table servicekit.permissions (
    seq bigint generated always as identity,
    project_id int not null,
    item_id text not null,
    created_date timestamptz not null,
    last_updated_date timestamptz not null,
    created_by text,
    last_updated_by text,
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
  from servicekit.projects;;
insert into servicekit.migrations (id, hash)
values ('0001-initial', 'efe2cf55dc11875f5bbd6e555668979f965191aa1148f67e877c8563f33585cc');

  create function servicekit.find_token(project int, token_hash text, now timestamptz)
  returns json language plpgsql as $$
  declare
    token record;
    roles json;
  begin
    if token_hash is null then return null; end if;
    perform set_config('servicekit.project', project::text, true);
    select t.payload ->> 'clientId' as client_id, t.account_id,
      t.payload -> 'extra' ->> 'org_id' as org_id, c.roles as client_roles,
      s.organization_id as session_organization, s.hash is not null as has_session
    into token
    from servicekit.oidc_states t
    left join servicekit.sessions s on s.grant_id = t.grant_id and s.revoked_at is null
      and s.idle_expires_at > now and s.absolute_expires_at > now
    left join servicekit.users u on u.item_id = t.account_id
    left join servicekit.clients c on t.account_id is null
      and c.client_id = t.payload ->> 'clientId' and (c.organizations is null
        or t.payload -> 'extra' ->> 'org_id' = any(c.organizations))
    where t.kind in ('AccessToken', 'ClientCredentials') and t.hash = token_hash
      and t.expires_at > now and coalesce(u.active, c.client_id is not null);
    if not found then return null; end if;

    if token.account_id is null then
      roles := json_build_object(token.org_id, token.client_roles);
    else
      select json_object_agg(m.organization_id, m.roles) into roles
      from servicekit.memberships m where m.user_id = token.account_id;
    end if;
    return json_build_object(
      'client_id', token.client_id,
      'account_id', token.account_id,
      'org_id', token.org_id,
      'session_organization', token.session_organization,
      'has_session', token.has_session,
      'roles', roles,
      'ancestors', (select json_object_agg(r.slug, r.ancestor_role_slugs)
        from servicekit.roles r where r.ancestor_role_slugs <> '{}'),
      'settings', (select value from servicekit.secrets where name = 'settings')
    );
  end $$;;
insert into servicekit.migrations (id, hash)
values ('0002-find-token', '9512b5f4978841a14f666761d7f01a3d0f5d913039f412316c78aa311e53ce74');

  alter table servicekit.keys add column details json;
  alter table servicekit.drafts add column details json;;
insert into servicekit.migrations (id, hash)
values ('0003-key-details', 'd42ba2be3ac9c386c0c00f5a7eca8d9624278fcb4c9719f6c13d9e3fd87ecddc');

  create table servicekit.audit (
    id uuid primary key default gen_random_uuid(),
    at timestamptz not null default clock_timestamp(),
    instance text not null,
    request_id text,
    actor text not null,
    operation text not null,
    project text,
    action text not null,
    kind text not null,
    records text[] not null,
    total bigint not null
  );
  create index audit_order on servicekit.audit (at, id);
  create function servicekit.refuse_change() returns trigger language plpgsql as $$ begin
    raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
  end $$;
  create trigger append_only before update or delete or truncate on servicekit.audit
    for each statement execute function servicekit.refuse_change();

  create function servicekit.record_change() returns trigger language plpgsql as $$
  declare
    context json := current_setting('servicekit.audit', true);
    ids text[];
    changed_rows bigint := 1;
  begin
    if tg_level = 'ROW' then ids := array[new.key];
    else
      select count(*) into changed_rows from changed;
      if changed_rows = 0 then return null; end if;
      select array_agg(concat_ws('/', r ->> 'schema_name',
        (select name from servicekit.modules where id = (r ->> 'module_id')::int),
        coalesce((select key from servicekit.keys where id = (r ->> 'key_id')::int), r ->> 'key',
          r ->> 'slug', r ->> 'client_id', r ->> 'user_id', r ->> 'code', r ->> 'item_id',
          r ->> 'name')))
      into ids from (select to_jsonb(c) as r from changed c limit 20) one;
    end if;
    insert into servicekit.audit
      (instance, request_id, actor, operation, project, action, kind, records, total)
    values (context ->> 'instance', context ->> 'requestId', context ->> 'actor',
      context ->> 'operation', case when tg_table_name = 'projects' then ids[1] else
        (select key from servicekit.projects
          where id = nullif(current_setting('servicekit.project', true), '')::int) end,
      lower(tg_op), tg_table_name, ids, changed_rows);
    return null;
  end $$;
  do $$ declare name text; event text; begin
    foreach name in array '{languages,modules,texts,drafts,data_schemas,schema_drafts,records,organizations,
    users,memberships,roles,permissions,clients,secrets,stored_files,webhooks,tools,agents,
    knowledge,projects}'::text[] loop
      foreach event in array '{insert,update,delete}'::text[] loop
        -- Not the versions of a project, which change with its translations and schemas.
        execute format($f$create trigger audit_%2$s after %2$s %4$s on servicekit.%1$I %3$s
          when (coalesce(current_setting('servicekit.audit', true), '') <> '')
          execute function servicekit.record_change()$f$, name, event,
          case when name = 'projects' and event = 'update' then 'for each row'
            when event = 'delete' then 'referencing old table as changed for each statement'
            else 'referencing new table as changed for each statement' end,
          case when name = 'projects' and event = 'update'
            then 'of name, organization_id, fallback, dialect, origins' else '' end);
      end loop;
    end loop;
  end $$;

  -- The secret before a rotation, which stays valid for some time.
  alter table servicekit.clients add column previous_secret_hash text;
  alter table servicekit.clients add column previous_secret_until timestamptz;;
insert into servicekit.migrations (id, hash)
values ('0004-audit', 'afe3bd640c1ee38cad9e7b2acdfe73ad788ec5e4c64ee421ca8aabdb5b549623');

  create table servicekit.text_history (
    id bigint generated always as identity primary key,
    project_id int not null,
    module text not null,
    key text not null,
    language text not null,
    previous text,
    value text,
    at timestamptz not null default now(),
    actor text not null
  );
  create index text_history_key on servicekit.text_history (project_id, module, key, id);
  create index text_history_order on servicekit.text_history (project_id, id);
  alter table servicekit.text_history enable row level security;
  alter table servicekit.text_history force row level security;
  create policy project on servicekit.text_history using (project_id =
    (select nullif(current_setting('servicekit.project', true), '')::int));;
insert into servicekit.migrations (id, hash)
values ('0005-text-history', '09e91e82709cca1eb5f9c8d8e57677cc598cb971b0a7b58a9d106f7725fe9055');

  alter table servicekit.attempts
    add column request_headers jsonb,
    add column response_headers jsonb,
    add column response_body text;;
insert into servicekit.migrations (id, hash)
values ('0006-attempt-details', '45a4efa06b6b6a58250072a1f466a7a04932f806e76850c6fa9bb6d657fac1a1');

  create unique index stored_files_seq on servicekit.stored_files (seq);
  create index jobs_upload on servicekit.jobs (subject) where kind = 'upload';
  do $$ declare project int; begin
    for project in select id from servicekit.projects loop
      perform set_config('servicekit.project', project::text, true);
      insert into servicekit.jobs (kind, for_project, subject, run_at)
        select 'upload', project_id, seq, created_date from servicekit.stored_files
        where project_id = project and stored_at is null;
    end loop;
    perform set_config('servicekit.project', '', true);
  end $$;;
insert into servicekit.migrations (id, hash)
values ('0007-upload-jobs', 'a11bd330d9f1b8d659fe76a86dce062f89cf73db69c820ee21f92db8199e6e80');

  create extension if not exists pg_trgm;
  create extension if not exists btree_gist;
  create index texts_similar on servicekit.texts
    using gist (language_id, left(value, 1000) gist_trgm_ops);;
insert into servicekit.migrations (id, hash)
values ('0008-similar-texts', 'c76f90340a4a874db1513bc76aecf1ff9baf5f0261227b5bcabb78eca1396f43');

  drop index servicekit.users_email;
  drop index servicekit.users_user_name;
  alter table servicekit.users
    add column email_lower text not null generated always as (lower(email)) stored,
    add column user_name_lower text not null generated always as (lower(user_name)) stored;
  create unique index users_email on servicekit.users (project_id, email_lower);
  create unique index users_user_name on servicekit.users (project_id, user_name_lower);
  create index users_order on servicekit.users (project_id, seq);

  alter table servicekit.texts
    add column value_hash bigint generated always as (hashtextextended(value, 0)) stored,
    add column is_written boolean not null generated always as (value is not null and value <> ''
      and value !~* '^\s*\[\s*key\s*missing\s*\]\s*$') stored;
  -- In the order of the results, so that equal texts are not sorted.
  create index texts_equal
    on servicekit.texts (project_id, language_id, value_hash, module_id, key_id);
  create index texts_written on servicekit.texts (project_id, module_id, language_id, key_id)
    where is_written;
  alter table servicekit.texts
    drop constraint texts_pkey,
    add primary key (project_id, module_id, language_id, key_id);
  alter table servicekit.drafts
    drop constraint drafts_pkey,
    add primary key (project_id, module_id, key, language_id);
  alter table servicekit.keys
    drop constraint keys_module_id_key_key,
    add unique (project_id, module_id, key);

  -- With the project first, because PostgreSQL may otherwise look for the newest rows of a project
  -- among those of all projects.
  do $$ declare name text; begin
    foreach name in array '{translations,text_history,deliveries,attempts,knowledge}'::text[] loop
      execute format('alter table servicekit.%1$I drop constraint %2$I,
        add primary key (project_id, id)', name, name || '_pkey');
    end loop;
  end $$;
  drop index servicekit.translations_order;
  drop index servicekit.text_history_order;
  drop index servicekit.deliveries_order;
  drop index servicekit.stored_files_seq;
  create unique index stored_files_seq on servicekit.stored_files (project_id, seq);

  create index stored_files_order on servicekit.stored_files (project_id, seq)
    where stored_at is not null;
  create index mails_recipient on servicekit.mails (project_id, recipient, seq);
  create index one_time_codes_user on servicekit.one_time_codes (project_id, user_id);

  -- For the removal of expired rows.
  create index one_time_codes_expiry on servicekit.one_time_codes (project_id, expires_at);
  create index oidc_states_expiry on servicekit.oidc_states (project_id, expires_at);
  create index sessions_expiry on servicekit.sessions (project_id, absolute_expires_at);
  create index tool_flows_expiry on servicekit.tool_flows (project_id, expires_at);

  drop index servicekit.jobs_upload;
  create index jobs_subject on servicekit.jobs (subject, kind);
  -- Jobs in progress, of which there are few.
  create index jobs_locked on servicekit.jobs (locked_until) where locked_until is not null;;
insert into servicekit.migrations (id, hash)
values ('0009-query-plans', '09b3333e26698c3ba214da31aad4db88dc8eb363b98c7b56e6ef478e267062f0');

  -- No row if the project serves no such language or module. Their ids are read first: many projects
  -- have the same names, and a join by names may read all translations of the project.
  create function servicekit.read_file(project int, language_code text, module_name text)
  returns table (version bigint, members text) language plpgsql as $$
  declare
    file_language int;
    file_module int;
  begin
    perform set_config('servicekit.project', project::text, true);
    select id into file_language from servicekit.languages
      where project_id = project and code = language_code and not is_draft;
    select id into file_module from servicekit.modules
      where project_id = project and name = module_name and not is_draft;
    if file_language is null or file_module is null then return; end if;
    return query
      select (select texts_version from servicekit.projects where id = project),
        string_agg(to_json(k.key) || ':' || coalesce(to_json(t.value)::text, 'null'), ','
          order by k.key collate "C")
      from servicekit.texts t
      join servicekit.keys k on k.project_id = project and k.module_id = file_module
        and k.id = t.key_id
      where t.project_id = project and t.module_id = file_module
        and t.language_id = file_language;
  end $$;

  create function servicekit.read_key_file(project int, language_code text, module_name text)
  returns table (version bigint, members json) language plpgsql as $$
  declare
    file_module int;
  begin
    perform set_config('servicekit.project', project::text, true);
    if not exists (select from servicekit.languages
      where project_id = project and code = language_code and not is_draft) then return; end if;
    select id into file_module from servicekit.modules
      where project_id = project and name = module_name and not is_draft;
    if file_module is null then return; end if;
    return query
      select (select texts_version from servicekit.projects where id = project),
        json_agg(key order by key collate "C")
      from servicekit.keys where project_id = project and module_id = file_module;
  end $$;

  create function servicekit.find_session(project int, session_hash text)
  returns table (session json) language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return query
      select json_build_object('sessionId', s.session_id, 'userId', s.user_id,
        'grantId', s.grant_id, 'createdAt', s.created_at, 'lastActivityAt', s.last_activity_at,
        'idleExpiresAt', s.idle_expires_at, 'absoluteExpiresAt', s.absolute_expires_at,
        'isRevoked', s.revoked_at is not null, 'user', case when u.item_id is not null then
          json_build_object('firstName', u.first_name, 'lastName', u.last_name,
            'userName', u.user_name) end)
      from servicekit.sessions s
      left join servicekit.users u on u.project_id = s.project_id and u.item_id = s.user_id
      where s.project_id = project and s.hash = session_hash;
  end $$;

  create function servicekit.find_secret(project int, secret_name text)
  returns json language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return (select value from servicekit.secrets
      where project_id = project and name = secret_name);
  end $$;

  -- State of the authorization server, which reads and writes it one by one.
  create function servicekit.find_state(project int, state_kind text, state_hash text)
  returns json language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return (select json_build_object('payload', payload, 'expiresAt', expires_at,
        'consumedAt', consumed_at)
      from servicekit.oidc_states
      where project_id = project and kind = state_kind and hash = state_hash);
  end $$;

  create function servicekit.find_state_by_uid(project int, state_kind text, state_uid text)
  returns json language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return (select json_build_object('payload', payload, 'expiresAt', expires_at,
        'consumedAt', consumed_at)
      from servicekit.oidc_states
      where project_id = project and kind = state_kind and uid = state_uid limit 1);
  end $$;

  create function servicekit.save_state(project int, state_kind text, state_hash text,
    new_payload json, new_uid text, new_grant text, new_account text, new_expiry timestamptz)
  returns void language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    insert into servicekit.oidc_states
      (project_id, kind, hash, payload, uid, grant_id, account_id, expires_at)
    values (project, state_kind, state_hash, new_payload, new_uid, new_grant, new_account,
      new_expiry)
    on conflict (project_id, kind, hash) do update set payload = excluded.payload,
      uid = excluded.uid, grant_id = excluded.grant_id, account_id = excluded.account_id,
      expires_at = excluded.expires_at;
  end $$;

  create function servicekit.find_client(project int, id text)
  returns json language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return (select json_build_object('clientId', client_id, 'name', name,
        'secretHash', secret_hash, 'redirectUris', redirect_uris,
        'postLogoutRedirectUris', post_logout_redirect_uris)
      from servicekit.clients where project_id = project and client_id = id);
  end $$;;
insert into servicekit.migrations (id, hash)
values ('0010-single-statements', '704d341748a777eb72761072e6ef4fac7a91b10295ee879c6c0404168f0a600f');

  alter table servicekit.text_history add column reason text;;
insert into servicekit.migrations (id, hash)
values ('0011-publish-reason', 'afd37a3093f6f869bc135ea11f8a9e8c07fe779e519d7f0dc7d42871c1da457d');

  do $$
  declare
    misplaced text[] := array(
      select extname from pg_extension
      where extname in ('pg_trgm', 'btree_gist') and extnamespace = 'servicekit'::regnamespace
    );
    extension text;
  begin
    if misplaced = '{}' then return; end if;
    drop index servicekit.texts_similar;
    foreach extension in array misplaced loop
      execute format('drop extension %I', extension);
      execute format('create extension %I with schema public', extension);
    end loop;
    create index texts_similar on servicekit.texts
      using gist (language_id, left(value, 1000) public.gist_trgm_ops);
  end
  $$;;
insert into servicekit.migrations (id, hash)
values ('0012-extension-schema', '3b4c15a2bdc263ac29fa377e96fb671cdd4001a52d44f2517cd558d559056720');

  alter table servicekit.texts
    add column is_reviewed boolean not null default false,
    add column translated_from text;
  alter table servicekit.drafts
    add column is_reviewed boolean not null default false,
    add column translated_from text;
  alter table servicekit.text_history add column state text;
  alter table servicekit.projects
    add column publish_only_reviewed boolean not null default false;
  drop trigger audit_update on servicekit.projects;
  create trigger audit_update
    after update of name, organization_id, fallback, dialect, origins, publish_only_reviewed
    on servicekit.projects for each row
    when (coalesce(current_setting('servicekit.audit', true), '') <> '')
    execute function servicekit.record_change();

  -- Source texts that have changed, with the first former text.
  create table servicekit.source_changes (
    project_id int not null,
    module_id int not null,
    key text not null,
    language_id int not null,
    original text not null,
    primary key (project_id, module_id, key, language_id)
  );
  alter table servicekit.source_changes enable row level security;
  alter table servicekit.source_changes force row level security;
  create policy project on servicekit.source_changes using (project_id =
    (select nullif(current_setting('servicekit.project', true), '')::int));

  create function servicekit.source_language() returns int language sql stable as $$
    select id from servicekit.languages order by is_default desc, position limit 1
  $$;
  -- The current text of a key in the default language: the draft, or else what is served. Each limit,
  -- also below, makes PostgreSQL look a row up by its primary key: it does not know how many there are.
  create function servicekit.source_text(of_module int, of_key text)
  returns text language sql stable as $$
    select case when d.key is null then t.value else d.value end
    from (select servicekit.source_language() as id) l
    left join lateral (select key, value from servicekit.drafts d
      where d.module_id = of_module and d.key = of_key and d.language_id = l.id limit 1) d on true
    left join lateral (select id from servicekit.keys k
      where k.module_id = of_module and k.key = of_key limit 1) k on true
    left join lateral (select value from servicekit.texts t
      where t.module_id = of_module and t.language_id = l.id and t.key_id = k.id limit 1) t on true
  $$;
  -- The source text of a key before its first change; null if it has not changed.
  create function servicekit.original_source(of_module int, of_key text)
  returns text language sql stable as $$
    select original from servicekit.source_changes
    where module_id = of_module and key = of_key and language_id = servicekit.source_language()
    limit 1
  $$;

  create function servicekit.record_drafted_sources() returns trigger language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
  begin
    if tg_op = 'UPDATE' then
      insert into servicekit.source_changes
      select o.project_id, o.module_id, o.key, source_id, o.value
      from old_rows o join new_rows n using (module_id, key, language_id)
      where language_id = source_id and o.value <> '' and n.value is distinct from o.value
      on conflict do nothing;
    else
      insert into servicekit.source_changes
      select n.project_id, n.module_id, n.key, source_id, t.value
      from new_rows n,
        lateral (select id from servicekit.keys k
          where k.module_id = n.module_id and k.key = n.key limit 1) k,
        lateral (select value from servicekit.texts t where t.module_id = n.module_id
          and t.language_id = source_id and t.key_id = k.id and t.is_written limit 1) t
      where n.language_id = source_id and n.value is distinct from t.value
      on conflict do nothing;
    end if;
    return null;
  end $$;
  create trigger sources_insert after insert on servicekit.drafts
    referencing new table as new_rows for each statement
    execute function servicekit.record_drafted_sources();
  create trigger sources_update after update on servicekit.drafts
    referencing old table as old_rows new table as new_rows for each statement
    execute function servicekit.record_drafted_sources();

  create function servicekit.record_served_sources() returns trigger language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
  begin
    insert into servicekit.source_changes
    select o.project_id, module_id, k.key, source_id, o.value
    from old_rows o join new_rows n using (module_id, language_id, key_id),
      lateral (select key from servicekit.keys k where k.id = key_id limit 1) k
    where language_id = source_id and o.is_written and n.value is distinct from o.value
    on conflict do nothing;
    return null;
  end $$;
  create trigger sources_update after update on servicekit.texts
    referencing old table as old_rows new table as new_rows for each statement
    execute function servicekit.record_served_sources();;
insert into servicekit.migrations (id, hash)
values ('0013-translation-states', 'bddc92aabc29b13bfd9a4c716e88297ccecbff0ce1e053a2f53f3e2d61b5bc1f');
