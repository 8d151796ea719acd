/** Triggers that record which source texts have changed, and functions that read them. */
export const sourceChanges = `
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
  -- The source text of a key before its first change; null if it has not changed.
  create function servicekit.original_source(of_module int, of_key text)
  returns text language sql stable as $$
    select original from servicekit.source_changes
    where module_id = of_module and key = of_key and language_id = servicekit.source_language()
    limit 1
  $$;

  create function servicekit.record_drafted_sources() returns trigger language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
  begin
    if tg_op = 'UPDATE' then
      insert into servicekit.source_changes
      select o.project_id, o.module_id, o.key, source_id, o.value
      from old_rows o join new_rows n using (module_id, key, language_id)
      where language_id = source_id and o.value <> '' and n.value is distinct from o.value
      on conflict do nothing;
    else
      insert into servicekit.source_changes
      select n.project_id, n.module_id, n.key, source_id, t.value
      from new_rows n,
        lateral (select id from servicekit.keys k
          where k.module_id = n.module_id and k.key = n.key limit 1) k,
        lateral (select value from servicekit.texts t where t.module_id = n.module_id
          and t.language_id = source_id and t.key_id = k.id and t.is_written limit 1) t
      where n.language_id = source_id and n.value is distinct from t.value
      on conflict do nothing;
    end if;
    return null;
  end $$;
  create trigger sources_insert after insert on servicekit.drafts
    referencing new table as new_rows for each statement
    execute function servicekit.record_drafted_sources();
  create trigger sources_update after update on servicekit.drafts
    referencing old table as old_rows new table as new_rows for each statement
    execute function servicekit.record_drafted_sources();

  create function servicekit.record_served_sources() returns trigger language plpgsql as $$
  declare
    source_id int := servicekit.source_language();
  begin
    insert into servicekit.source_changes
    select o.project_id, module_id, k.key, source_id, o.value
    from old_rows o join new_rows n using (module_id, language_id, key_id),
      lateral (select key from servicekit.keys k where k.id = key_id limit 1) k
    where language_id = source_id and o.is_written and n.value is distinct from o.value
    on conflict do nothing;
    return null;
  end $$;
  create trigger sources_update after update on servicekit.texts
    referencing old table as old_rows new table as new_rows for each statement
    execute function servicekit.record_served_sources();
`
