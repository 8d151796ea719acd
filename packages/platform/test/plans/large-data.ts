import { Client } from 'pg'

/** Languages of the translations; the first one is the source language. */
const codes = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'pl', 'cs', 'ja']

export interface Size {
  /** Number of languages. */
  readonly languages: number
  /** Divides 100,000 records, 20,000 keys, 10,000 users and 100,000 sessions. */
  readonly parts: number
}

/** Statements that fill a large project, whose id is `$1`. */
const large = ({ languages, parts }: Size): readonly string[] => [
  `insert into records (project_id, schema_name, item_id, created_date, last_updated_date,
      created_by, language, data)
    select $1, 'Thing', 'record ' || n, now(), now(), 'user ' || n % ${10_000 / parts}, 'en',
      jsonb_build_object('Name', 'name ' || n) from generate_series(1, ${100_000 / parts}) n`,
  `insert into languages (project_id, item_id, name, code, is_default, position)
    select $1, code, code, code, false, 10 + position
    from unnest('{${codes.slice(0, languages).join()}}'::text[]) with ordinality one (code, position)
    on conflict do nothing`,
  `insert into modules (project_id, item_id, name, position)
    select $1, 'module ' || n, 'module ' || n, 10 + n from generate_series(1, 100) n`,
  `insert into keys (project_id, module_id, key)
    select $1, id, 'KEY_' || n from modules, generate_series(1, ${200 / parts}) n
    where project_id = $1 and name like 'module %'`,
  `insert into texts (project_id, module_id, language_id, key_id, value)
    select $1, k.module_id, l.id, k.id, l.code || ' text ' || k.id from keys k, languages l
    where k.project_id = $1 and l.project_id = $1 and l.code = any('{${codes.slice(0, languages).join()}}')
    on conflict do nothing`,
  `insert into drafts (project_id, module_id, language_id, key, value)
    select $1, k.module_id, l.id, k.key, 'draft' from keys k, languages l
    where k.project_id = $1 and l.project_id = $1 and k.id % 4 = 0
      and l.code = any('{${codes.slice(2, languages).join()}}')`,
  `insert into source_changes (project_id, module_id, key, language_id, original)
    select $1, k.module_id, k.key, l.id, 'former' from keys k, languages l
    where k.project_id = $1 and l.project_id = $1 and l.code = 'en' and k.id % 4 = 0`,
  `insert into text_history (project_id, module, key, language, value, actor)
    select $1, 'module ' || n % 100, 'KEY_' || n % ${200 / parts}, 'en', 'text', 'user:ada'
    from generate_series(1, ${20_000 / parts}) n`,
  `insert into comments (project_id, module_id, key, text, actor, mentions, at, is_resolved)
    select $1, k.module_id, k.key, 'text', 'user:user 2', array['user ' || k.id % 50], now(),
      k.id % 10 > 0
    from keys k where k.project_id = $1`,
  `insert into assignments (project_id, module_id, key, language_id, person)
    select $1, k.module_id, k.key, l.id, 'user ' || k.id % 50 from keys k, languages l
    where k.project_id = $1 and l.project_id = $1 and l.code = 'fr'`,
  `insert into translation_jobs (project_id, item_id, state, request, created_at)
    select $1, 'job ' || n, 'finished', '{}', now() from generate_series(1, ${2000 / parts}) n`,
  `insert into organizations (project_id, item_id, created_date, last_updated_date, name)
    select $1, 'organization ' || n, now(), now(), 'Organization ' || n
    from generate_series(1, ${1000 / parts}) n`,
  `insert into users (project_id, item_id, created_date, last_updated_date, email, user_name,
      first_name, last_name, organization_id, active, is_verified)
    select $1, 'user ' || n, now(), now(), 'User' || n || '@Example.com', 'Name' || n, 'First', 'Last',
      'organization ' || n % ${1000 / parts}, true, true from generate_series(1, ${10_000 / parts}) n`,
  `insert into memberships (project_id, user_id, organization_id, position, roles)
    select $1, 'user ' || n, 'organization ' || n % ${1000 / parts}, 0, '{member}'
    from generate_series(1, ${10_000 / parts}) n`,
  `insert into sessions (project_id, hash, session_id, user_id, client_id, grant_id, created_at,
      last_activity_at, idle_expires_at, absolute_expires_at)
    select $1, 'hash ' || n, 'session ' || n, 'user ' || n % ${10_000 / parts}, 'web', 'grant ' || n, now(), now(),
      now() + interval '30 days', now() + interval '30 days' from generate_series(1, ${100_000 / parts}) n`,
  `insert into oidc_states (project_id, kind, hash, payload, uid, grant_id, account_id,
      expires_at)
    select $1, kind, kind || n, '{}', 'uid ' || n, 'grant ' || n, 'user ' || n % ${10_000 / parts},
      now() + interval '30 days'
    from generate_series(1, ${100_000 / parts}) n, unnest('{AccessToken,RefreshToken}'::text[]) kind`,
  `insert into one_time_codes (project_id, hash, user_id, expires_at)
    select $1, 'code ' || n, 'user ' || n, now() + interval '30 days' from generate_series(1, ${10_000 / parts}) n`,
  `insert into mails (project_id, item_id, recipient, purpose, subject, body, created_date)
    select $1, 'mail ' || n, 'user' || n || '@example.com', 'Invitation', '', '', now()
    from generate_series(1, ${10_000 / parts}) n`,
  `insert into stored_files (project_id, item_id, name, system_name, access_modifier,
      meta_data, module_name, configuration_name, created_date, last_updated_date, stored_at)
    select $1, 'file ' || n, 'file ' || n, 'file ' || n, 'Public', '{}', 0, 'Default', now(), now(),
      now() from generate_series(1, ${20_000 / parts}) n`,
  `insert into jobs (kind, for_project, subject, run_at)
    select 'upload', $1, n, now() + interval '30 days' from generate_series(1000001, ${1_000_000 + 20_000 / parts}) n`,
  `insert into deliveries (project_id, message_id, kind, body, state, created_at)
    select $1, 'message ' || n, 'test', '{}', 'delivered', now() from generate_series(1, ${20_000 / parts}) n`,
  `insert into attempts (project_id, delivery_id, made_at, url, duration_ms)
    select $1, id, now(), 'https://example.org', 1 from deliveries where project_id = $1`,
  `insert into tools (project_id, item_id, name, description, auth, created_at, updated_at)
    values ($1, 'oauth', 'O', '', '{}', now(), now()) on conflict do nothing`,
  `insert into tool_flows (project_id, state_hash, tool_id, expires_at)
    select $1, 'state ' || n, 'oauth', now() + interval '30 days' from generate_series(1, ${20_000 / parts}) n`,
  `insert into knowledge (project_id, agent_id, question, answer, created_at)
    select $1, 'agent ' || n % 100, 'question ' || n, 'answer ' || n, now()
    from generate_series(1, ${20_000 / parts}) n`,
]

/** Rows of 2,000 small projects, so that each table has many rows. */
const small: readonly string[] = [
  `insert into projects (key, name, organization_id, fallback, dialect)
    select 'project ' || n, 'Project', '', 'en', '{}' from generate_series(1, 2000) n`,
  ...Object.entries({
    languages: ['item_id, name, code, is_default, position', `'en', 'English', 'en', true, 1`],
    modules: ['item_id, name, position', `'m', 'm', 1`],
    keys: ['module_id, key', `(select m.id from modules m where m.project_id = projects.id), 'A'`],
    data_schemas: ['position, name, definition', `1, 'Thing', '{}'`],
    schema_drafts: ['name', `'Thing'`],
    sources: ['path, hash', `'project.json', ''`],
    roles: ['item_id, created_date, last_updated_date, slug, name', `'r', now(), now(), 'r', 'R'`],
    permissions: ['item_id, created_date, last_updated_date, name', `'p', now(), now(), 'p'`],
    organizations: ['item_id, created_date, last_updated_date, name', `'o', now(), now(), 'O'`],
    clients: ['client_id, name', `'web', 'Web'`],
    secrets: ['name, value', `'settings', '{}'`],
    webhooks: [
      'item_id, url, content_type, is_disabled, signing_secret, created_at, updated_at',
      `'w', '', 'application/json', true, '', now(), now()`,
    ],
    tools: [
      'item_id, name, description, auth, created_at, updated_at',
      `'t', 'T', '', '{}', now(), now()`,
    ],
    agents: ['item_id, name, status, tool_ids', `'a', 'A', '', '{}'`],
    tool_tokens: ['tool_id, access_token, token_type, received_at', `'t', '', '', now()`],
  }).map(
    ([table, [names, values]]) =>
      `insert into ${table} (project_id, ${names})
        select id, ${values} from projects where key like 'project %'`,
  ),
  `insert into modules (project_id, item_id, name, position)
    select id, 'm' || n, 'm' || n, n from projects, generate_series(2, 5) n
    where key like 'project %'`,
  `insert into needed_reviews (project_id, module_id, key, language_ids)
    select project_id, module_id, key || n, '{}' from keys, generate_series(1, 20) n
    where project_id in (select id from projects where key like 'project %')`,
  `insert into rate_limits (key, full_at) select 'bucket ' || n, extract(epoch from now() + interval '1 hour') * 1000
    from generate_series(1, 20000) n`,
]

/**
 * Fills the tables of a database as its superuser. Together, the projects with these keys have
 * 100,000 records, 20,000 keys, 10,000 users and 100,000 sessions, if they are as many as the parts.
 */
export async function fillDatabase(
  databaseUrl: string,
  keys: readonly string[],
  size: Size = { languages: 3, parts: keys.length },
): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    await client.query('set search_path = servicekit, public')
    // Rows take a third longer with their plans.
    await client.query('set auto_explain.log_min_duration = -1')
    for (const statement of small) await client.query(statement)
    for (const key of keys) {
      const id = await idOf(client, key)
      for (const statement of large(size)) await client.query(statement, [id])
    }
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

async function idOf(client: Client, key: string): Promise<number> {
  const statement = 'select id from projects where key = $1'
  const { rows } = await client.query<{ id: number }>(statement, [key])
  return rows[0]!.id
}
