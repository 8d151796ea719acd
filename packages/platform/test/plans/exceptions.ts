/** Statements that read more than they return, by a part of their text, with the reason. */
export const exceptions: readonly (readonly [part: string, reason: string])[] = [
  [
    `concat_ws(' ', first_name, last_name, user_name) ilike`,
    'Finds a part of a name. Row-level security evaluates it after its own condition.',
  ],
  [
    'or not exists (select from servicekit.memberships m where m.user_id = users.item_id)',
    'Users without an organization are visible to each administrator.',
  ],
  ['= any(w.mentions)', 'Finds the mentions of a person among the open comments.'],
  [
    'and not w.needs_review order by',
    'Finds the first drafts of each module, because modules have an order of their own.',
  ],
  ['select distinct person', 'Finds the people among the open assignments.'],
  ['with drafted as materialized ( select d.module_id, d.key', 'Counts the translations by state.'],
  ['coalesce(t.written, 0) as written', 'Counts the translations of each language.'],
  ['as "unusedForms"', 'Counts the translations of each module.'],
  [
    'with a as materialized ( select module_id, key, id from ( select module_id, key, id from servicekit.keys where project_id = $1::int and true',
    'Counts the keys of the project with those of drafts, and finds a part of a text.',
  ],
]
