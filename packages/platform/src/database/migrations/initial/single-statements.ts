/**
 * Functions for frequent reads of a project. Each limits its transaction to the project and reads,
 * so that one statement is sent instead of those that begin, read and commit. PostgreSQL keeps
 * their query plans for each connection.
 */
export const singleStatements = `
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
  end $$;
`
