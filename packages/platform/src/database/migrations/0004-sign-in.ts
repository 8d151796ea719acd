/**
 * Functions that do in one statement what a sign-in and a token of a machine did in several: each
 * limits its transaction to the project, or passes several buckets of a rate limit at once.
 */
export const signIn = `
  -- Instances read the secrets of a project again once this has changed.
  alter table servicekit.projects add column secrets_version bigint not null default 1;

  create or replace function servicekit.find_client(project int, id text)
  returns json language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return (select json_build_object('clientId', client_id, 'name', name,
        'secretHash', secret_hash, 'redirectUris', redirect_uris,
        'postLogoutRedirectUris', post_logout_redirect_uris)
      from servicekit.clients where project_id = project and client_id = id);
  end $$;

  -- True if a client may get tokens for an organization, which exists and is enabled or is the
  -- default one.
  create function servicekit.may_use_organization(project int, id text, organization text,
    is_default boolean)
  returns boolean language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return exists (select from servicekit.clients c
        where c.project_id = project and c.client_id = id
          and (c.organizations is null or organization = any(c.organizations)))
      and (is_default or exists (select from servicekit.organizations o
        where o.project_id = project and o.item_id = organization and not o.is_disabled));
  end $$;

  create function servicekit.find_user(project int, id text)
  returns json language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    return (select row_to_json(u) from servicekit.users u
      where u.project_id = project and u.item_id = id);
  end $$;

  -- Finds the user of an email address, or else of a user name, in lower case as in the indexes.
  create function servicekit.find_account(project int, given text)
  returns json language plpgsql as $$
  declare
    lower_name text := lower(given);
  begin
    perform set_config('servicekit.project', project::text, true);
    return json_build_object('name', lower_name, 'user', coalesce(
      (select row_to_json(u) from servicekit.users u
        where u.project_id = project and u.email_lower = lower_name),
      (select row_to_json(u) from servicekit.users u
        where u.project_id = project and u.user_name_lower = lower_name)));
  end $$;

  create function servicekit.remove_state(project int, state_kind text, state_hash text)
  returns json language plpgsql as $$
  declare
    removed json;
  begin
    perform set_config('servicekit.project', project::text, true);
    delete from servicekit.oidc_states
      where project_id = project and kind = state_kind and hash = state_hash
      returning json_build_object('payload', payload, 'expiresAt', expires_at) into removed;
    return removed;
  end $$;

  -- False if the state was consumed before.
  create function servicekit.consume_state(project int, state_kind text, state_hash text,
    at timestamptz)
  returns boolean language plpgsql as $$
  begin
    perform set_config('servicekit.project', project::text, true);
    update servicekit.oidc_states set consumed_at = at
      where project_id = project and kind = state_kind and hash = state_hash
        and consumed_at is null;
    return found;
  end $$;

  -- Takes a token from each bucket, in their order, until one is empty. Returns the position of that
  -- bucket and the time at which it will be full, or null.
  create function servicekit.take_tokens(keys text[], limits float8[], intervals float8[],
    now_ms float8)
  returns json language plpgsql as $$
  begin
    for i in 1 .. cardinality(keys) loop
      insert into servicekit.rate_limits as bucket (key, full_at)
        values (keys[i], now_ms + intervals[i])
        on conflict (key) do update set full_at = greatest(bucket.full_at, now_ms) + intervals[i]
          -- Half a token absorbs rounding errors.
          where bucket.full_at <= now_ms + (limits[i] - 0.5) * intervals[i];
      if not found then
        return (select json_build_object('position', i - 1, 'fullAt', full_at)
          from servicekit.rate_limits where key = keys[i]);
      end if;
    end loop;
    return null;
  end $$;

  -- Locks buckets, in their order, until the transaction ends. Returns the times at which they will
  -- be full.
  create function servicekit.lock_buckets(keys text[])
  returns float8[] language plpgsql as $$
  declare
    times float8[];
    full_time float8;
  begin
    for i in 1 .. cardinality(keys) loop
      insert into servicekit.rate_limits as bucket (key, full_at) values (keys[i], 0)
        on conflict (key) do update set full_at = bucket.full_at returning full_at into full_time;
      times[i] := full_time;
    end loop;
    return times;
  end $$;

  -- Returns the token of a successful attempt to each bucket, and fills the first one.
  create function servicekit.refund_tokens(keys text[], intervals float8[])
  returns void language plpgsql as $$
  begin
    delete from servicekit.rate_limits where key = keys[1];
    for i in 2 .. cardinality(keys) loop
      update servicekit.rate_limits set full_at = full_at - intervals[i] where key = keys[i];
    end loop;
  end $$;
`
