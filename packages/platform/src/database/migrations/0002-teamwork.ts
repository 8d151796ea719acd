/**
 * Comments on messages, assignments of translations with mails by option, authors of drafts, and
 * the number of suggestions that a job did not trust.
 */
export const teamwork = `
  alter table servicekit.projects add column notify_by_mail boolean not null default false;

  alter table servicekit.drafts add column actor text;
  alter table servicekit.translation_jobs add column unsure int not null default 0;

  -- Comments and assignments outlive their key, as its history does. A language that is null
  -- stands for the message as a whole.
  create table servicekit.comments (
    id bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
    module_id int not null,
    key text not null,
    language_id int,
    text text not null,
    actor text not null,
    mentions text[] not null default '{}',
    at timestamptz not null,
    is_resolved boolean not null default false,
    primary key (project_id, id)
  );
  create index comments_key on servicekit.comments (project_id, module_id, key, id);
  create index comments_open on servicekit.comments (project_id, id) where not is_resolved;

  create table servicekit.assignments (
    project_id int not null references servicekit.projects on delete cascade,
    module_id int not null,
    key text not null,
    language_id int not null,
    person text not null,
    due date,
    done_at timestamptz,
    primary key (project_id, module_id, key, language_id)
  );
  create index assignments_person on servicekit.assignments (project_id, person, due)
    where done_at is null;

  -- Finds translations whose source text may have changed among all texts.
  create index texts_translated_from on servicekit.texts (project_id, language_id)
    where translated_from is not null;

  do $$ declare name text; event text; begin
    foreach name in array '{comments,assignments}'::text[] loop
      execute format('alter table servicekit.%I enable row level security', name);
      execute format('alter table servicekit.%I force row level security', name);
      execute format('create policy project on servicekit.%I using (project_id =
        (select nullif(current_setting(''servicekit.project'', true), '''')::int))', name);
      foreach event in array '{insert,update,delete}'::text[] loop
        execute format($f$create trigger audit_%2$s after %2$s on servicekit.%1$I
          referencing %3$s table as changed for each statement
          when (coalesce(current_setting('servicekit.audit', true), '') <> '')
          execute function servicekit.record_change()$f$, name, event,
          case when event = 'delete' then 'old' else 'new' end);
      end loop;
    end loop;
  end $$;
  create trigger audit_notifications after update of notify_by_mail on servicekit.projects
    for each row when (coalesce(current_setting('servicekit.audit', true), '') <> '')
    execute function servicekit.record_change();
`
