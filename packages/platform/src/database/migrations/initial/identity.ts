/** Columns of every identity entity. */
const entity = `seq bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
    item_id text not null,
    created_date timestamptz not null,
    last_updated_date timestamptz not null,
    created_by text,
    last_updated_by text,`

/** Users, what they may do, and how they sign in. */
export const identityTables = `
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
    email_lower text not null generated always as (lower(email)) stored,
    user_name_lower text not null generated always as (lower(user_name)) stored,
    primary key (project_id, item_id)
  );
  create unique index users_email on servicekit.users (project_id, email_lower);
  create unique index users_user_name on servicekit.users (project_id, user_name_lower);
  create index users_order on servicekit.users (project_id, seq);
  create table servicekit.memberships (
    project_id int not null references servicekit.projects on delete cascade,
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

  -- The secret before a rotation stays valid for some time.
  create table servicekit.clients (
    project_id int not null references servicekit.projects on delete cascade,
    client_id text not null,
    name text not null,
    secret_hash text,
    redirect_uris text[] not null default '{}',
    post_logout_redirect_uris text[] not null default '{}',
    organizations text[],
    roles text[] not null default '{}',
    previous_secret_hash text,
    previous_secret_until timestamptz,
    primary key (project_id, client_id)
  );
  -- Codes, tokens and session ids are stored as hashes: a copy of the database grants no access.
  create table servicekit.one_time_codes (
    project_id int not null references servicekit.projects on delete cascade,
    hash text not null,
    user_id text not null,
    expires_at timestamptz not null,
    primary key (project_id, hash)
  );
  create index one_time_codes_user on servicekit.one_time_codes (project_id, user_id);
  create index one_time_codes_expiry on servicekit.one_time_codes (project_id, expires_at);
  create table servicekit.mails (
    seq bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
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
  create index mails_recipient on servicekit.mails (project_id, recipient, seq);
  create table servicekit.oidc_states (
    project_id int not null references servicekit.projects on delete cascade,
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
  create index oidc_states_expiry on servicekit.oidc_states (project_id, expires_at);
  create table servicekit.sessions (
    project_id int not null references servicekit.projects on delete cascade,
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
  create index sessions_expiry on servicekit.sessions (project_id, absolute_expires_at);
  create table servicekit.secrets (
    project_id int not null references servicekit.projects on delete cascade,
    name text not null,
    value json not null,
    primary key (project_id, name)
  );
`
