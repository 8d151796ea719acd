/** One step of the database's shape. A step that was released is never edited. */
export interface Migration {
  /** `0001-tenants`: the number orders the steps. */
  readonly id: string
  /** Statements that run in one transaction. */
  readonly sql: string
}

/** The project of the scope. As a sub-select it is asked once a statement, and not once a row. */
const scope = `(select nullif(current_setting('servicekit.project', true), '')::int)`

/**
 * Statements that keep the rows of a table within the project in whose scope
 * they are read or written. `force` subjects the owner too, so that an
 * installation without the application's role is covered as well.
 */
export const isolate = (table: string): string => `
  alter table servicekit.${table} enable row level security;
  alter table servicekit.${table} force row level security;
  create policy project on servicekit.${table}
    using (project_id = ${scope})
    with check (project_id = ${scope});
`
