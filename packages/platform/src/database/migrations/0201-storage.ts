import { isolate, type Migration } from './migration.ts'

/**
 * File metadata. A file is created with its upload URL; `stored_at` is null until its
 * content is uploaded.
 */
export const storage: Migration = {
  id: '0201-storage',
  sql: `
    create table servicekit.stored_files (
      seq bigint generated always as identity,
      project_id int not null,
      item_id text not null,
      name text not null,
      parent_directory_id text,
      system_name text not null,
      access_modifier text not null,
      meta_data json not null,
      tags text[] not null default '{}',
      module_name int not null,
      configuration_name text not null,
      content_type text,
      size_in_bytes bigint,
      current_version int not null default 0,
      created_date timestamptz not null,
      last_updated_date timestamptz not null,
      created_by text,
      stored_at timestamptz,
      primary key (project_id, item_id)
    );
    create index stored_files_directory
      on servicekit.stored_files (project_id, parent_directory_id, seq);
    ${isolate('stored_files')}
  `,
}
