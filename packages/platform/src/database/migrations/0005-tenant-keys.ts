/** Primary keys that begin with the project, as those of all other tables of a project do. */
export const tenantKeys = `
  do $$ declare name text; begin
    foreach name in array '{languages,modules,keys,data_schemas}'::text[] loop
      execute format('alter table servicekit.%1$I drop constraint %1$s_pkey,
        add primary key (project_id, id)', name);
    end loop;
  end $$;
`
