/** Number of characters of a text that are compared: a row of an index has at most 8 kB. */
export const comparedLength = 1000

/** Value that marks a missing translation, as a regular expression without case. */
export const missingValue = String.raw`^\s*\[\s*key\s*missing\s*\]\s*$`

/**
 * Languages, modules and keys with their translations, drafts and history. Texts have no foreign keys
 * to their module, language and key, because each one takes time for every text of a load.
 *
 * A text or draft is reviewed or not; `translated_from` is the source text that it was translated
 * from or reviewed with, empty if somebody asked for a review, and null if that was the source text
 * before its first change. So most rows have no state, a change of a source text writes one row
 * whatever the number of languages, and undoing it restores the states.
 */
export const translationTables = `
  create table servicekit.languages (
    id int generated always as identity primary key,
    project_id int not null references servicekit.projects on delete cascade,
    item_id text not null,
    name text not null,
    code text not null,
    is_default boolean not null,
    position int not null,
    is_draft boolean not null default false,
    unique (project_id, code)
  );
  create table servicekit.modules (
    id int generated always as identity primary key,
    project_id int not null references servicekit.projects on delete cascade,
    item_id text not null,
    name text not null,
    position int not null,
    is_draft boolean not null default false,
    unique (project_id, name)
  );
  -- The details are context, maximum length and uses, for translators and suggestions.
  create table servicekit.keys (
    id int generated always as identity primary key,
    project_id int not null references servicekit.projects on delete cascade,
    module_id int not null,
    key text not null,
    details json,
    unique (project_id, module_id, key)
  );

  create table servicekit.texts (
    project_id int not null references servicekit.projects on delete cascade,
    module_id int not null,
    language_id int not null,
    key_id int not null,
    value text,
    value_hash bigint generated always as (hashtextextended(value, 0)) stored,
    is_written boolean not null generated always as (value is not null and value <> ''
      and value !~* '${missingValue}') stored,
    is_reviewed boolean not null default false,
    translated_from text,
    primary key (project_id, module_id, language_id, key_id)
  );
  -- Finds the texts of a language that are the most similar to another one.
  create index texts_similar on servicekit.texts
    using gist (language_id, left(value, ${comparedLength}) gist_trgm_ops);
  -- In the order of the results, so that equal texts are not sorted.
  create index texts_equal
    on servicekit.texts (project_id, language_id, value_hash, module_id, key_id);
  create index texts_written on servicekit.texts (project_id, module_id, language_id, key_id)
    where is_written;

  -- Unpublished translations; language 0 marks a key to remove.
  create table servicekit.drafts (
    project_id int not null references servicekit.projects on delete cascade,
    module_id int not null,
    language_id int not null,
    key text not null,
    value text,
    details json,
    is_reviewed boolean not null default false,
    translated_from text,
    primary key (project_id, module_id, key, language_id)
  );
  -- Source texts that have changed, with the first former text.
  create table servicekit.source_changes (
    project_id int not null references servicekit.projects on delete cascade,
    module_id int not null,
    key text not null,
    language_id int not null,
    original text not null,
    primary key (project_id, module_id, key, language_id)
  );

  -- Changes of served translations. Modules and languages by name, since both can be removed and
  -- added again. The reason is that for which someone published translations that have errors.
  create table servicekit.text_history (
    id bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
    module text not null,
    key text not null,
    language text not null,
    previous text,
    value text,
    at timestamptz not null default now(),
    actor text not null,
    reason text,
    state text,
    primary key (project_id, id)
  );
  create index text_history_key on servicekit.text_history (project_id, module, key, id);

  -- Jobs that fill in missing translations.
  create table servicekit.translation_jobs (
    id bigint generated always as identity,
    project_id int not null references servicekit.projects on delete cascade,
    item_id text not null,
    state text not null default 'waiting',
    request json not null,
    total int not null default 0,
    filled int not null default 0,
    unanswered int not null default 0,
    error text,
    created_at timestamptz not null,
    finished_at timestamptz,
    primary key (project_id, id)
  );
`
