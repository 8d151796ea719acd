/** Value that marks a missing translation, as a regular expression without case. */
export const missingValue = String.raw`^\s*\[\s*key\s*missing\s*\]\s*$`

/**
 * Indexes for conditions that row-level security leaves to an index: only comparisons of columns by
 * operators that are leakproof. An expression such as `lower(email)` and operators such as `@@` are
 * not, so that their indexes would never be used; a generated column is compared instead.
 */
export const queryPlans = `
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
      and value !~* '${missingValue}') stored;
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
  create index jobs_locked on servicekit.jobs (locked_until) where locked_until is not null;
`
