import { isolate, type Migration } from './migration.ts'

/**
 * Job queue, webhooks and their deliveries.
 *
 * A job contains only its project and the id of its subject, no content: the queue is
 * read across projects, and therefore not isolated by project.
 */
export const webhooks: Migration = {
  id: '0301-webhooks',
  sql: `
    create table servicekit.jobs (
      id bigint generated always as identity primary key,
      kind text not null,
      for_project int not null,
      subject bigint not null,
      run_at timestamptz not null,
      tries int not null default 0,
      locked_until timestamptz
    );
    create index jobs_due on servicekit.jobs (run_at, id);
    create table servicekit.webhooks (
      project_id int primary key,
      item_id text not null,
      url text not null,
      content_type text not null,
      secret text,
      header_key text,
      is_disabled boolean not null,
      signing_secret text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create table servicekit.deliveries (
      id bigint generated always as identity primary key,
      project_id int not null,
      message_id text not null,
      kind text not null,
      body text not null,
      state text not null default 'pending',
      created_at timestamptz not null
    );
    create index deliveries_order on servicekit.deliveries (project_id, id);
    create table servicekit.attempts (
      id bigint generated always as identity primary key,
      project_id int not null,
      delivery_id bigint not null,
      made_at timestamptz not null,
      url text not null,
      status int,
      error text,
      duration_ms int not null
    );
    create index attempts_delivery on servicekit.attempts (project_id, delivery_id, id);
    ${['webhooks', 'deliveries', 'attempts'].map(isolate).join('')}
  `,
}
