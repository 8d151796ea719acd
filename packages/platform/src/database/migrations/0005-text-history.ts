/**
 * Changes of served translations. Modules and languages by name, since both can be removed
 * and added again.
 */
export const textHistory = `
  create table servicekit.text_history (
    id bigint generated always as identity primary key,
    project_id int not null,
    module text not null,
    key text not null,
    language text not null,
    previous text,
    value text,
    at timestamptz not null default now(),
    actor text not null
  );
  create index text_history_key on servicekit.text_history (project_id, module, key, id);
  create index text_history_order on servicekit.text_history (project_id, id);
  alter table servicekit.text_history enable row level security;
  alter table servicekit.text_history force row level security;
  create policy project on servicekit.text_history using (project_id =
    (select nullif(current_setting('servicekit.project', true), '')::int));
`
