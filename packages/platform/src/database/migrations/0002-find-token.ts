/**
 * Function that finds a token with the roles of its owner. A function, because PostgreSQL keeps
 * its query plan for each connection, and planning takes ten times as long as execution.
 *
 * A machine's token becomes invalid when its client is removed, or loses access to the
 * organization.
 */
export const findToken = `
  create function servicekit.find_token(project int, token_hash text, now timestamptz)
  returns table (
    client_id text,
    account_id text,
    org_id text,
    session_organization text,
    has_session boolean,
    -- Role slugs by organization, and the slugs that each of them includes.
    roles json,
    ancestors json,
    settings json
  )
  language plpgsql as $$
  #variable_conflict use_column
  begin
    if token_hash is null then return; end if;
    perform set_config('servicekit.project', project::text, true);
    return query with recursive token as (
      select t.payload ->> 'clientId' as client_id, t.account_id,
        t.payload -> 'extra' ->> 'org_id' as org_id, c.roles as client_roles,
        s.organization_id as session_organization, s.hash is not null as has_session
      from servicekit.oidc_states t
      left join servicekit.sessions s on s.grant_id = t.grant_id and s.revoked_at is null
        and s.idle_expires_at > now and s.absolute_expires_at > now
      left join servicekit.users u on u.item_id = t.account_id
      left join servicekit.clients c on t.account_id is null
        and c.client_id = t.payload ->> 'clientId' and (c.organizations is null
          or t.payload -> 'extra' ->> 'org_id' = any(c.organizations))
      where t.kind in ('AccessToken', 'ClientCredentials') and t.hash = token_hash
        and t.expires_at > now and coalesce(u.active, c.client_id is not null)
    ), given(organization_id, slugs) as (
      select m.organization_id, m.roles from token
        join servicekit.memberships m on m.user_id = token.account_id
      union all
      select token.org_id, token.client_roles from token where token.account_id is null
    ), held(slug, included) as (
      select distinct slug, slug from given, unnest(given.slugs) as slug
      union
      select held.slug, ancestor from held
        join servicekit.roles r on r.slug = held.included,
        unnest(r.ancestor_role_slugs) as ancestor
    ), included(slug, slugs) as (
      select held.slug, array_agg(held.included) from held group by held.slug
    )
    select token.client_id, token.account_id, token.org_id, token.session_organization,
      token.has_session,
      (select coalesce(json_object_agg(given.organization_id, given.slugs), '{}') from given),
      (select coalesce(json_object_agg(included.slug, included.slugs), '{}') from included),
      (select value from servicekit.secrets where name = 'settings')
    from token;
  end $$;
`
