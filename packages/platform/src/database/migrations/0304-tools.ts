import { isolate, type Migration } from './migration.ts'

/**
 * Tools of AI agents, the agents that use them, OAuth flows in progress and the resulting
 * tokens, and questions with their answers.
 *
 * Full-text search of questions is language-independent: it matches words as written, and
 * ranks matches in the question above matches in the answer.
 */
export const tools: Migration = {
  id: '0304-tools',
  sql: `
    create table servicekit.tools (
      project_id int not null,
      item_id text not null,
      name text not null,
      description text not null,
      auth json not null,
      tutorial json,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, item_id)
    );
    create table servicekit.agents (
      project_id int not null,
      item_id text not null,
      name text not null,
      status text not null,
      tool_ids text[] not null,
      primary key (project_id, item_id)
    );
    create table servicekit.tool_flows (
      project_id int not null,
      state_hash text not null,
      tool_id text not null,
      verifier text,
      expires_at timestamptz not null,
      primary key (project_id, state_hash)
    );
    create table servicekit.tool_tokens (
      project_id int not null,
      tool_id text not null,
      access_token text not null,
      refresh_token text,
      token_type text not null,
      scope text,
      expires_at timestamptz,
      received_at timestamptz not null,
      primary key (project_id, tool_id)
    );
    create table servicekit.knowledge (
      id bigint generated always as identity primary key,
      project_id int not null,
      agent_id text not null,
      question text not null,
      answer text not null,
      created_at timestamptz not null,
      words tsvector generated always as (
        setweight(to_tsvector('simple', question), 'A')
        || setweight(to_tsvector('simple', answer), 'B')
      ) stored
    );
    create index knowledge_words on servicekit.knowledge using gin (words);
    create index knowledge_agent on servicekit.knowledge (project_id, agent_id, id);
    ${['tools', 'agents', 'tool_flows', 'tool_tokens', 'knowledge'].map(isolate).join('')}
  `,
}
