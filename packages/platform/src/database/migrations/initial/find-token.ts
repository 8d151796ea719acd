/**
 * Function that finds a token with the roles of its owner. A function, because PostgreSQL keeps
 * its query plans for each connection, and planning takes ten times as long as execution.
 *
 * A machine's token becomes invalid when its client is removed, or loses access to the
 * organization.
 */
export const findToken = `
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
  end $$;
`
