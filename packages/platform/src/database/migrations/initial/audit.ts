/** Audited tables; those of sessions, tokens, queues and caches are not changes of users. */
const audited = `{languages,modules,texts,drafts,data_schemas,schema_drafts,records,organizations,
    users,memberships,roles,permissions,clients,secrets,stored_files,webhooks,tools,agents,
    knowledge,projects}`

/**
 * Records a change. The project of a scope is missing only while its rows are removed with it, which
 * the entry of the project stands for.
 */
export const recordChange = `
  create or replace function servicekit.record_change() returns trigger language plpgsql as $$
  declare
    context json := current_setting('servicekit.audit', true);
    project_key text;
    ids text[];
    changed_rows bigint := 1;
  begin
    if tg_table_name <> 'projects' then
      select key into project_key from servicekit.projects
        where id = nullif(current_setting('servicekit.project', true), '')::int;
      if not found then return null; end if;
    end if;
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
      context ->> 'operation', coalesce(project_key, ids[1]), lower(tg_op), tg_table_name,
      ids, changed_rows);
    return null;
  end $$;
`

/**
 * Audit log. Triggers write it in the transaction of each change, with the ids of up to 20 records
 * and never with their values. It has no project_id, so that it stays when a project is removed.
 */
export const auditLog = `
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
  ${recordChange}
  do $$ declare name text; event text; begin
    foreach name in array '${audited}'::text[] loop
      foreach event in array '{insert,update,delete}'::text[] loop
        -- Not the versions of a project, which change with its translations and schemas.
        execute format($f$create trigger audit_%2$s after %2$s %4$s on servicekit.%1$I %3$s
          when (coalesce(current_setting('servicekit.audit', true), '') <> '')
          execute function servicekit.record_change()$f$, name, event,
          case when name = 'projects' and event = 'update' then 'for each row'
            when event = 'delete' then 'referencing old table as changed for each statement'
            else 'referencing new table as changed for each statement' end,
          case when name = 'projects' and event = 'update'
            then 'of name, organization_id, fallback, dialect, origins, publish_only_reviewed'
            else '' end);
      end loop;
    end loop;
  end $$;
`
