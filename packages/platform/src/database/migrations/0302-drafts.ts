import { isolate, type Migration } from './migration.ts'

/**
 * Unpublished changes: added languages and modules, edited translations, and keys to
 * remove (with language id 0). Also auto-translation jobs with their progress.
 */
export const drafts: Migration = {
  id: '0302-drafts',
  sql: `
    alter table servicekit.languages add column is_draft boolean not null default false;
    alter table servicekit.modules add column is_draft boolean not null default false;
    create table servicekit.drafts (
      project_id int not null,
      module_id int not null,
      language_id int not null,
      key text not null,
      value text,
      primary key (module_id, key, language_id)
    );
    create table servicekit.translations (
      id bigint generated always as identity primary key,
      project_id int not null,
      item_id text not null,
      state text not null default 'waiting',
      request json not null,
      total int not null default 0,
      filled int not null default 0,
      unanswered int not null default 0,
      error text,
      created_at timestamptz not null,
      finished_at timestamptz
    );
    create index translations_order on servicekit.translations (project_id, id);
    ${['drafts', 'translations'].map(isolate).join('')}
  `,
}
