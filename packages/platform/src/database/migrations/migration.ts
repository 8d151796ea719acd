/** Database migration. A released migration is never edited. */
export interface Migration {
  /** Id such as `0001-tenants`; the number determines the order. */
  readonly id: string
  /** Statements, run in one transaction. */
  readonly sql: string
}

/**
 * Id of the scope's project. As a sub-select it is evaluated once per statement, not once
 * per row.
 */
const scope = `(select nullif(current_setting('servicekit.project', true), '')::int)`

/**
 * Returns statements that enable row-level security, so that a transaction only accesses
 * rows of its project. `force` includes the owner, to also cover installations without
 * the application's role.
 */
export const isolate = (table: string): string => `
  alter table servicekit.${table} enable row level security;
  alter table servicekit.${table} force row level security;
  create policy project on servicekit.${table}
    using (project_id = ${scope})
    with check (project_id = ${scope});
`
