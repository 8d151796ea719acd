import { recordChange } from './initial/audit.ts'

/** Hashes of the migrations before the first release, which one migration replaces. */
export const former: ReadonlyMap<string, string> = new Map([
  ['0001-initial', 'efe2cf55dc11875f5bbd6e555668979f965191aa1148f67e877c8563f33585cc'],
  ['0002-find-token', '9512b5f4978841a14f666761d7f01a3d0f5d913039f412316c78aa311e53ce74'],
  ['0003-key-details', 'd42ba2be3ac9c386c0c00f5a7eca8d9624278fcb4c9719f6c13d9e3fd87ecddc'],
  ['0004-audit', 'afe3bd640c1ee38cad9e7b2acdfe73ad788ec5e4c64ee421ca8aabdb5b549623'],
  ['0005-text-history', '09e91e82709cca1eb5f9c8d8e57677cc598cb971b0a7b58a9d106f7725fe9055'],
  ['0006-attempt-details', '45a4efa06b6b6a58250072a1f466a7a04932f806e76850c6fa9bb6d657fac1a1'],
  ['0007-upload-jobs', 'a11bd330d9f1b8d659fe76a86dce062f89cf73db69c820ee21f92db8199e6e80'],
  ['0008-similar-texts', 'c76f90340a4a874db1513bc76aecf1ff9baf5f0261227b5bcabb78eca1396f43'],
  ['0009-query-plans', '09b3333e26698c3ba214da31aad4db88dc8eb363b98c7b56e6ef478e267062f0'],
  ['0010-single-statements', '704d341748a777eb72761072e6ef4fac7a91b10295ee879c6c0404168f0a600f'],
  ['0011-publish-reason', 'afd37a3093f6f869bc135ea11f8a9e8c07fe779e519d7f0dc7d42871c1da457d'],
  ['0012-extension-schema', '3b4c15a2bdc263ac29fa377e96fb671cdd4001a52d44f2517cd558d559056720'],
  ['0013-translation-states', 'bddc92aabc29b13bfd9a4c716e88297ccecbff0ce1e053a2f53f3e2d61b5bc1f'],
])

/** Tables whose rows refer to the project, apart from those of the second list. */
const ofProjects = `{sources,languages,modules,keys,texts,drafts,source_changes,text_history,
    translation_jobs,data_schemas,schema_drafts,records,organizations,users,memberships,roles,
    permissions,clients,one_time_codes,mails,oidc_states,sessions,secrets,stored_files,webhooks,
    deliveries,tools,agents,knowledge}`

/** Tables whose rows refer to those of another table, and the columns of both. */
const ofOthers = `{{attempts,delivery_id,deliveries,id},{tool_flows,tool_id,tools,item_id},
    {tool_tokens,tool_id,tools,item_id}}`

/**
 * Adds what the tables of the former migrations lack: foreign keys. Rows that refer to nothing are
 * what a change left behind that ran while its project, delivery or tool was removed.
 */
export const formerUpgrade = `
  alter table servicekit.translations rename to translation_jobs;
  alter index servicekit.translations_pkey rename to translation_jobs_pkey;
  alter sequence servicekit.translations_id_seq rename to translation_jobs_id_seq;
  create index jobs_project on servicekit.jobs (for_project);

  do $$ declare name text; reference text[]; begin
    -- Lets the owner see the rows of all projects.
    for name in select tablename from pg_tables where schemaname = 'servicekit' and rowsecurity loop
      execute format('alter table servicekit.%I no force row level security', name);
    end loop;

    foreach name in array '${ofProjects}'::text[] loop
      execute format('delete from servicekit.%I
        where project_id not in (select id from servicekit.projects)', name);
      execute format('alter table servicekit.%I add foreign key (project_id)
        references servicekit.projects on delete cascade', name);
    end loop;
    delete from servicekit.jobs where for_project not in (select id from servicekit.projects);
    alter table servicekit.jobs add foreign key (for_project)
      references servicekit.projects on delete cascade;

    foreach reference slice 1 in array '${ofOthers}'::text[] loop
      execute format('delete from servicekit.%1$I where (project_id, %2$I) not in (
        select project_id, %4$I from servicekit.%3$I)', variadic reference);
      execute format('alter table servicekit.%1$I add foreign key (project_id, %2$I)
        references servicekit.%3$I (project_id, %4$I) on delete cascade', variadic reference);
    end loop;

    for name in select tablename from pg_tables where schemaname = 'servicekit' and rowsecurity loop
      execute format('alter table servicekit.%I force row level security', name);
    end loop;
  end $$;
  ${recordChange}
`
