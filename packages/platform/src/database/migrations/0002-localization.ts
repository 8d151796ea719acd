import { isolate, type Migration } from './migration.ts'

/**
 * Languages, modules, keys and translations. Translations reference three tables by id,
 * and are looked up by module, so an index by project would only add cost.
 */
export const localization: Migration = {
  id: '0002-localization',
  sql: `
    create table servicekit.languages (
      id int generated always as identity primary key,
      project_id int not null,
      item_id text not null,
      name text not null,
      code text not null,
      is_default boolean not null,
      position int not null,
      unique (project_id, code)
    );
    create table servicekit.modules (
      id int generated always as identity primary key,
      project_id int not null,
      item_id text not null,
      name text not null,
      position int not null,
      unique (project_id, name)
    );
    create table servicekit.keys (
      id int generated always as identity primary key,
      project_id int not null,
      module_id int not null,
      key text not null,
      unique (module_id, key)
    );
    create table servicekit.texts (
      project_id int not null,
      module_id int not null,
      language_id int not null,
      key_id int not null,
      value text,
      primary key (module_id, language_id, key_id)
    );
    create table servicekit.files (
      project_id int not null,
      module_id int not null,
      language_id int not null,
      version bigint not null,
      primary key (project_id, module_id, language_id)
    );
    ${['languages', 'modules', 'keys', 'texts', 'files'].map(isolate).join('')}
  `,
}
