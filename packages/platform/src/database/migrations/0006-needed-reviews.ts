import { missingValue } from './initial/translations.ts'

/** Id of the project to which the transaction is limited. */
const project = `(select nullif(current_setting('servicekit.project', true), '')::int)`

/**
 * Translations whose source text has changed, by key. The state of a translation depends on rows of
 * its source text, so that no index finds those that need a review. A changed source text writes one
 * row, whatever the number of languages.
 */
export const neededReviews = `
  create table servicekit.needed_reviews (
    project_id int not null references servicekit.projects on delete cascade,
    module_id int not null,
    key text collate "C" not null,
    language_ids int[] not null,
    primary key (project_id, module_id, key)
  );
  alter table servicekit.needed_reviews enable row level security;
  alter table servicekit.needed_reviews force row level security;
  create policy project on servicekit.needed_reviews using (project_id = ${project});

  -- Drafts to review, in the order of their list.
  alter table servicekit.drafts add column is_written boolean not null
    generated always as (value is not null and value <> '' and value !~* '${missingValue}') stored,
    add column needs_review boolean not null default false;
  create index drafts_to_review
    on servicekit.drafts (project_id, module_id, key collate "C", language_id)
    where is_written and not is_reviewed and not needs_review;
  create index drafts_translated_from on servicekit.drafts (project_id, module_id, key)
    where translated_from is not null;
  drop index servicekit.texts_translated_from;
  create index texts_translated_from on servicekit.texts (project_id, key_id)
    where translated_from is not null;

  -- Functions that read rows of a project name it.
  create or replace function servicekit.source_language() returns int language sql stable as $$
    select id from servicekit.languages where project_id = ${project}
    order by is_default desc, position limit 1
  $$;
  create or replace function servicekit.source_text(of_module int, of_key text)
  returns text language sql stable as $$
    select case when d.key is null then t.value else d.value end
    from (select ${project} as project, servicekit.source_language() as id) l
    left join lateral (select key, value from servicekit.drafts d where d.project_id = l.project
      and d.module_id = of_module and d.key = of_key and d.language_id = l.id limit 1) d on true
    left join lateral (select id from servicekit.keys k where k.project_id = l.project
      and k.module_id = of_module and k.key = of_key limit 1) k on true
    left join lateral (select value from servicekit.texts t where t.project_id = l.project
      and t.module_id = of_module and t.language_id = l.id and t.key_id = k.id limit 1) t on true
  $$;
  create or replace function servicekit.original_source(of_module int, of_key text)
  returns text language sql stable as $$
    select original from servicekit.source_changes
    where project_id = ${project} and module_id = of_module and key = of_key
      and language_id = servicekit.source_language()
    limit 1
  $$;
  create or replace function servicekit.record_drafted_sources() returns trigger
  language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
  begin
    if tg_op = 'UPDATE' then
      insert into servicekit.source_changes
      select o.project_id, o.module_id, o.key, source_id, o.value
      -- The tables of a trigger are planned with the rows of the first statement of a session, so
      -- that a join of both could read each row as often as there are rows.
      from old_rows o,
        lateral (select value from servicekit.drafts d where d.project_id = o.project_id
          and d.module_id = o.module_id and d.key = o.key and d.language_id = source_id limit 1) n
      where o.language_id = source_id and o.value <> '' and n.value is distinct from o.value
      on conflict do nothing;
    else
      insert into servicekit.source_changes
      select n.project_id, n.module_id, n.key, source_id, t.value
      from new_rows n,
        lateral (select id from servicekit.keys k where k.project_id = n.project_id
          and k.module_id = n.module_id and k.key = n.key limit 1) k,
        lateral (select value from servicekit.texts t where t.project_id = n.project_id
          and t.module_id = n.module_id and t.language_id = source_id and t.key_id = k.id
          and t.is_written limit 1) t
      where n.language_id = source_id and n.value is distinct from t.value
      on conflict do nothing;
    end if;
    return null;
  end $$;
  create or replace function servicekit.record_served_sources() returns trigger
  language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
  begin
    insert into servicekit.source_changes
    select o.project_id, o.module_id, k.key, source_id, o.value
    from old_rows o,
      lateral (select value from servicekit.texts t where t.project_id = o.project_id
        and t.module_id = o.module_id and t.language_id = source_id and t.key_id = o.key_id
        limit 1) n,
      lateral (select key from servicekit.keys k
        where k.project_id = o.project_id and k.id = o.key_id limit 1) k
    where o.language_id = source_id and o.is_written and n.value is distinct from o.value
    on conflict do nothing;
    return null;
  end $$;

  -- Keys of a project whose translations can need a review: the source text has changed, or a
  -- translation was written or reviewed with another one.
  create function servicekit.reviewable_keys(project int)
  returns table (module_id int, key text) language plpgsql stable as $$
  begin
    return query
      select r.module_id, r.key::text from servicekit.needed_reviews r where r.project_id = project
      union select s.module_id, s.key from servicekit.source_changes s where s.project_id = project
      union select d.module_id, d.key from servicekit.drafts d
        where d.project_id = project and d.translated_from is not null
      union select k.module_id, k.key from servicekit.texts t
        join servicekit.keys k on k.project_id = t.project_id and k.id = t.key_id
        where t.project_id = project and t.translated_from is not null;
  end $$;

  -- Finds out anew which translations of some keys need a review.
  create function servicekit.save_needed_reviews(project int, modules int[], names text[])
  returns void language plpgsql as $$
  begin
    -- Each limit makes PostgreSQL look the row up by its primary key.
    with source as materialized (
      select id from servicekit.languages where project_id = project
      order by is_default desc, position limit 1
    ), given as materialized (
      select u.module_id, u.key, s.original, k.id as key_id, o.id as source_id
      from unnest(modules, names) u (module_id, key) cross join source o
      left join lateral (select original from servicekit.source_changes s
        where s.project_id = project and s.module_id = u.module_id and s.key = u.key
          and s.language_id = o.id limit 1) s on true
      left join lateral (select id from servicekit.keys k where k.project_id = project
        and k.module_id = u.module_id and k.key = u.key limit 1) k on true
      where s.original is not null
        or exists (select from servicekit.needed_reviews r where r.project_id = project
          and r.module_id = u.module_id and r.key = u.key collate "C")
        or exists (select from servicekit.drafts d where d.project_id = project
          and d.module_id = u.module_id and d.key = u.key and d.translated_from is not null)
        or exists (select from servicekit.texts t where t.project_id = project
          and t.key_id = k.id and t.translated_from is not null)
    ), sources as materialized (
      select g.*, case when d.key is null then t.value else d.value end as value from given g
      left join lateral (select key, value from servicekit.drafts d where d.project_id = project
        and d.module_id = g.module_id and d.key = g.key and d.language_id = g.source_id limit 1) d
        on true
      left join lateral (select value from servicekit.texts t where t.project_id = project
        and t.module_id = g.module_id and t.language_id = g.source_id and t.key_id = g.key_id
        limit 1) t on true
    -- A row for each key, so that no step joins two lists of keys, for which the plan of a short
    -- list would be slow with a long one.
    ), found as materialized (
      select g.module_id, g.key, array_agg(l.id order by l.id) filter (
        where case when d.is_draft then d.is_written else t.is_written end
          and f.former is not null and f.former is distinct from g.value) as language_ids
      from sources g
      left join servicekit.languages l on l.project_id = project and l.id <> g.source_id
      left join lateral (select is_written, translated_from, true as is_draft
        from servicekit.drafts d where d.project_id = project and d.module_id = g.module_id
          and d.key = g.key and d.language_id in (0, l.id) limit 1) d on true
      left join lateral (select is_written, translated_from from servicekit.texts t
        where t.project_id = project and t.module_id = g.module_id and t.language_id = l.id
          and t.key_id = g.key_id limit 1) t on true
      cross join lateral (select coalesce(
        case when d.is_draft then d.translated_from else t.translated_from end,
        g.original) as former) f
      group by g.module_id, g.key
    ), removed as (
      delete from servicekit.needed_reviews r using found f
      where r.project_id = project and r.module_id = f.module_id and r.key = f.key collate "C"
        and f.language_ids is null
    ), marked as (
      update servicekit.drafts d set needs_review = not d.needs_review from found f
      where d.project_id = project and d.module_id = f.module_id and d.key = f.key
        and d.needs_review <> coalesce(d.language_id = any(f.language_ids), false)
    )
    insert into servicekit.needed_reviews as r (project_id, module_id, key, language_ids)
    select project, f.module_id, f.key, f.language_ids from found f
    where f.language_ids is not null
    on conflict (project_id, module_id, key) do update set language_ids = excluded.language_ids
    where r.language_ids <> excluded.language_ids;
  end $$;

  create function servicekit.find_needed_reviews() returns trigger language plpgsql as $$
  declare
    project int;
    modules int[];
    names text[];
  begin
    -- The rows of a project are also removed with it.
    for project in select distinct c.project_id from changed c
      join servicekit.projects p on p.id = c.project_id
    loop
      -- In most projects, no source text has changed yet.
      continue when
        not exists (select from servicekit.source_changes where project_id = project)
        and not exists (select from servicekit.needed_reviews where project_id = project)
        and not exists (select from servicekit.drafts
          where project_id = project and translated_from is not null)
        and not exists (select from servicekit.texts
          where project_id = project and translated_from is not null);
      if tg_table_name = 'texts' then
        select array_agg(k.module_id), array_agg(k.key) into modules, names
        from (select distinct key_id from changed c where c.project_id = project) c
        join servicekit.keys k on k.project_id = project and k.id = c.key_id;
      elsif tg_table_name = 'languages' then
        if tg_op = 'UPDATE' then
          continue when not exists (
            select from former f join changed c using (project_id, id)
            where project_id = project
              and (f.is_default, f.position) is distinct from (c.is_default, c.position));
        end if;
        select array_agg(module_id), array_agg(key) into modules, names
        from servicekit.reviewable_keys(project);
      else
        select array_agg(module_id), array_agg(key) into modules, names
        from (select distinct module_id, key from changed c where c.project_id = project) c;
      end if;
      perform servicekit.save_needed_reviews(project, modules, names);
    end loop;
    return null;
  end $$;
  -- Triggers of an event run in the order of their names: those that record source texts do before.
  do $$ declare name text; begin
    foreach name in array '{texts,drafts,languages}'::text[] loop
      execute format('create trigger states_insert after insert on servicekit.%I
        referencing new table as changed for each statement
        execute function servicekit.find_needed_reviews()', name);
      execute format('create trigger states_update after update on servicekit.%I
        referencing old table as former new table as changed for each statement
        -- Not for drafts that a trigger of another statement marks.
        when (pg_trigger_depth() = 0) execute function servicekit.find_needed_reviews()', name);
    end loop;
    drop trigger sources_update on servicekit.drafts;
    create trigger sources_update after update on servicekit.drafts
      referencing old table as old_rows for each statement
      when (pg_trigger_depth() = 0) execute function servicekit.record_drafted_sources();
    drop trigger audit_update on servicekit.drafts;
    create trigger audit_update after update on servicekit.drafts
      referencing new table as changed for each statement
      when (pg_trigger_depth() = 0
        and coalesce(current_setting('servicekit.audit', true), '') <> '')
      execute function servicekit.record_change();
    foreach name in array '{texts,drafts,languages,source_changes}'::text[] loop
      execute format('create trigger states_delete after delete on servicekit.%I
        referencing old table as changed for each statement
        execute function servicekit.find_needed_reviews()', name);
    end loop;
  end $$;

  do $$ declare id int; begin
    for id in select p.id from servicekit.projects p loop
      perform set_config('servicekit.project', id::text, true);
      perform servicekit.save_needed_reviews(id, array_agg(k.module_id), array_agg(k.key))
      from servicekit.reviewable_keys(id) k;
    end loop;
    perform set_config('servicekit.project', '', true);
  end $$;
`
