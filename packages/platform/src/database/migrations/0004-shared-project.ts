import type { Migration } from './migration.ts'

/**
 * Project that the uilm routes serve if the project header is absent (section 4.6). It is
 * an ordinary project without an owner.
 */
export const sharedProject: Migration = {
  id: '0004-shared-project',
  sql: `
    insert into servicekit.projects (key, name, organization_id, fallback, dialect)
    values ('servicekit-shared', 'Shared', '', 'en-US', '{}');
    select set_config('servicekit.project', id::text, true)
    from servicekit.projects where key = 'servicekit-shared';
    insert into servicekit.languages (project_id, item_id, name, code, is_default, position)
    select id, '00000000-0000-4000-8000-000000000001', 'English (United States)', 'en-US', true, 1
    from servicekit.projects where key = 'servicekit-shared';
  `,
}
