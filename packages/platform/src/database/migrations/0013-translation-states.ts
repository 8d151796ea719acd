/**
 * States of translations. A text or draft is reviewed or not; `translated_from` is the source text
 * that it was translated from or reviewed with, if that has changed since. So most rows have no
 * state, and undoing a change of the source text restores the states. Writing a text resets its own
 * state; triggers store what a change of the source text means for the other languages, whichever
 * statement makes it.
 */
export const translationStates = `
  alter table servicekit.texts
    add column is_reviewed boolean not null default false,
    add column translated_from text;
  alter table servicekit.drafts
    add column is_reviewed boolean not null default false,
    add column translated_from text;
  alter table servicekit.text_history add column state text;
  alter table servicekit.projects
    add column publish_only_reviewed boolean not null default false;
  drop trigger audit_update on servicekit.projects;
  create trigger audit_update
    after update of name, organization_id, fallback, dialect, origins, publish_only_reviewed
    on servicekit.projects for each row
    when (coalesce(current_setting('servicekit.audit', true), '') <> '')
    execute function servicekit.record_change();

  create function servicekit.source_language() returns int language sql stable as $$
    select id from servicekit.languages order by is_default desc, position limit 1
  $$;
  -- The current text of a key in the default language: the draft, or else what is served. Each limit,
  -- also below, makes PostgreSQL look a row up by its primary key: it does not know how many there are.
  create function servicekit.source_text(of_module int, of_key text)
  returns text language sql stable as $$
    select case when d.key is null then t.value else d.value end
    from (select servicekit.source_language() as id) l
    left join lateral (select key, value from servicekit.drafts d
      where d.module_id = of_module and d.key = of_key and d.language_id = l.id limit 1) d on true
    left join lateral (select id from servicekit.keys k
      where k.module_id = of_module and k.key = of_key limit 1) k on true
    left join lateral (select value from servicekit.texts t
      where t.module_id = of_module and t.language_id = l.id and t.key_id = k.id limit 1) t on true
  $$;

  -- Stores the former source texts of keys with the translations that have none stored.
  create function servicekit.keep_sources(sources jsonb) returns void language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
  begin
    if sources is null then return; end if;
    update servicekit.texts t set translated_from = s.former
    from (
      select x.ctid as place, s.former
      from jsonb_to_recordset(sources) as s (module_id int, key text, former text),
        servicekit.languages l,
        lateral (select id from servicekit.keys k
          where k.module_id = s.module_id and k.key = s.key limit 1) k,
        lateral (select ctid from servicekit.texts t where t.module_id = s.module_id
          and t.language_id = l.id and t.key_id = k.id
          and t.translated_from is null and t.is_written limit 1) x
      where l.id <> source_id
    ) s
    where t.ctid = s.place;
    update servicekit.drafts d set translated_from = s.former
    from jsonb_to_recordset(sources) as s (module_id int, key text, former text)
    where d.module_id = s.module_id and d.key = s.key
      and d.language_id not in (0, source_id) and d.translated_from is null;
  end $$;

  create function servicekit.keep_drafted_sources() returns trigger language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
    sources jsonb;
  begin
    if tg_op = 'UPDATE' then
      select jsonb_agg(jsonb_build_object('module_id', o.module_id, 'key', o.key, 'former', o.value))
      into sources from old_rows o join new_rows n using (module_id, key, language_id)
      where language_id = source_id and o.value <> '' and n.value is distinct from o.value;
    elsif tg_op = 'INSERT' then
      select jsonb_agg(jsonb_build_object('module_id', n.module_id, 'key', n.key, 'former', t.value))
      into sources from new_rows n,
        lateral (select id from servicekit.keys k
          where k.module_id = n.module_id and k.key = n.key limit 1) k,
        lateral (select value from servicekit.texts t where t.module_id = n.module_id
          and t.language_id = source_id and t.key_id = k.id and t.is_written limit 1) t
      where n.language_id = source_id and n.value is distinct from t.value;
    else
      select jsonb_agg(jsonb_build_object('module_id', o.module_id, 'key', o.key, 'former', o.value))
      into sources from old_rows o,
        lateral (select id from servicekit.keys k
          where k.module_id = o.module_id and k.key = o.key limit 1) k,
        lateral (select value from servicekit.texts t where t.module_id = o.module_id
          and t.language_id = source_id and t.key_id = k.id and t.is_written limit 1) t
      where o.language_id = source_id and o.value <> '' and t.value <> o.value;
    end if;
    perform servicekit.keep_sources(sources);
    return null;
  end $$;
  create trigger sources_insert after insert on servicekit.drafts
    referencing new table as new_rows for each statement
    when (pg_trigger_depth() = 0) execute function servicekit.keep_drafted_sources();
  create trigger sources_update after update on servicekit.drafts
    referencing old table as old_rows new table as new_rows for each statement
    when (pg_trigger_depth() = 0) execute function servicekit.keep_drafted_sources();
  create trigger sources_delete after delete on servicekit.drafts
    referencing old table as old_rows for each statement
    when (pg_trigger_depth() = 0) execute function servicekit.keep_drafted_sources();

  -- A served source text is the current one only without a draft.
  create function servicekit.keep_served_sources() returns trigger language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
    sources jsonb;
  begin
    select jsonb_agg(jsonb_build_object('module_id', k.module_id, 'key', k.key, 'former', o.value))
    into sources from old_rows o
    join new_rows n using (module_id, language_id, key_id),
      lateral (select module_id, key from servicekit.keys k where k.id = key_id limit 1) k
    where language_id = source_id and o.is_written and n.value is distinct from o.value
      and not exists (select from servicekit.drafts d where d.module_id = k.module_id
        and d.key = k.key and d.language_id = source_id);
    perform servicekit.keep_sources(sources);
    return null;
  end $$;
  create trigger sources_update after update on servicekit.texts
    referencing old table as old_rows new table as new_rows for each statement
    when (pg_trigger_depth() = 0) execute function servicekit.keep_served_sources();
`
