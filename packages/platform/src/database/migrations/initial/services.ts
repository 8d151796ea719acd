/** Stored files, webhooks, tools, agents with their knowledge, and what all instances share. */
export const serviceTables = `
  -- A file is created with its upload URL; stored_at is null until its content is uploaded.
  create table servicekit.stored_files (
    seq bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
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
  -- A job looks for the bytes of each upload, and finds its file by this number.
  create unique index stored_files_seq on servicekit.stored_files (project_id, seq);
  create index stored_files_directory
    on servicekit.stored_files (project_id, parent_directory_id, seq);
  create index stored_files_order on servicekit.stored_files (project_id, seq)
    where stored_at is not null;

  create table servicekit.webhooks (
    project_id int primary key references servicekit.projects on delete cascade,
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
    id bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
    message_id text not null,
    kind text not null,
    body text not null,
    state text not null default 'pending',
    created_at timestamptz not null,
    primary key (project_id, id)
  );
  create table servicekit.attempts (
    id bigint generated always as identity,
    project_id int not null,
    delivery_id bigint not null,
    made_at timestamptz not null,
    url text not null,
    status int,
    error text,
    duration_ms int not null,
    request_headers jsonb,
    response_headers jsonb,
    response_body text,
    foreign key (project_id, delivery_id)
      references servicekit.deliveries (project_id, id) on delete cascade,
    primary key (project_id, id)
  );
  create index attempts_delivery on servicekit.attempts (project_id, delivery_id, id);

  create table servicekit.tools (
    project_id int not null references servicekit.projects on delete cascade,
    item_id text not null,
    name text not null,
    description text not null,
    auth json not null,
    tutorial json,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (project_id, item_id)
  );
  create table servicekit.tool_flows (
    project_id int not null,
    state_hash text not null,
    tool_id text not null,
    verifier text,
    expires_at timestamptz not null,
    foreign key (project_id, tool_id)
      references servicekit.tools (project_id, item_id) on delete cascade,
    primary key (project_id, state_hash)
  );
  create index tool_flows_expiry on servicekit.tool_flows (project_id, expires_at);
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
    foreign key (project_id, tool_id)
      references servicekit.tools (project_id, item_id) on delete cascade,
    primary key (project_id, tool_id)
  );
  create table servicekit.agents (
    project_id int not null references servicekit.projects on delete cascade,
    item_id text not null,
    name text not null,
    status text not null,
    tool_ids text[] not null,
    primary key (project_id, item_id)
  );
  -- Search matches words as written, and ranks the question above the answer.
  create table servicekit.knowledge (
    id bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
    agent_id text not null,
    question text not null,
    answer text not null,
    created_at timestamptz not null,
    words tsvector generated always as (
      setweight(to_tsvector('simple', question), 'A')
      || setweight(to_tsvector('simple', answer), 'B')
    ) stored,
    primary key (project_id, id)
  );
  create index knowledge_words on servicekit.knowledge using gin (words);
  create index knowledge_agent on servicekit.knowledge (project_id, agent_id, id);

  -- Only references: the queue is read across projects, and therefore not isolated.
  create table servicekit.jobs (
    id bigint generated always as identity primary key,
    kind text not null,
    for_project int not null references servicekit.projects on delete cascade,
    subject bigint not null,
    run_at timestamptz not null,
    tries int not null default 0,
    locked_until timestamptz
  );
  create index jobs_project on servicekit.jobs (for_project);
  create index jobs_due on servicekit.jobs (run_at, id);
  create index jobs_subject on servicekit.jobs (subject, kind);
  -- Jobs in progress, of which there are few.
  create index jobs_locked on servicekit.jobs (locked_until) where locked_until is not null;
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
`
