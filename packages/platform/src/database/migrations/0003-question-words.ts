/**
 * Words of the questions in the knowledge base. Row-level security leaves no index to `words @@ query`,
 * whose operator is not leakproof, but it leaves one to the comparison of a word.
 */
export const questionWords = `
  create table servicekit.question_words (
    project_id int not null references servicekit.projects on delete cascade,
    word text collate "C" not null,
    agent_id text not null,
    question_id bigint not null,
    foreign key (project_id, question_id)
      references servicekit.knowledge (project_id, id) on delete cascade,
    primary key (project_id, word, agent_id, question_id)
  );
  -- Rows that are removed with their question.
  create index question_words_question on servicekit.question_words (project_id, question_id);

  -- Lets the owner see the questions of all projects.
  alter table servicekit.knowledge no force row level security;
  insert into servicekit.question_words (project_id, word, agent_id, question_id)
    select project_id, unnest(tsvector_to_array(words)), agent_id, id from servicekit.knowledge;
  alter table servicekit.knowledge force row level security;
  drop index servicekit.knowledge_words;

  alter table servicekit.question_words enable row level security;
  alter table servicekit.question_words force row level security;
  create policy project on servicekit.question_words using (project_id =
    (select nullif(current_setting('servicekit.project', true), '')::int));

  -- A question is never changed after it was added.
  create function servicekit.add_words() returns trigger language plpgsql as $$ begin
    insert into servicekit.question_words (project_id, word, agent_id, question_id)
      select project_id, unnest(tsvector_to_array(words)), agent_id, id from added;
    return null;
  end $$;
  create trigger words after insert on servicekit.knowledge referencing new table as added
    for each statement execute function servicekit.add_words();
`
