import { isolate, type Migration } from './migration.ts'

/**
 * What is not served until it is published: languages and modules that were
 * added, texts that were written, and keys that are to go (those have no
 * language: 0). And the auto-translation jobs with their progress.
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
