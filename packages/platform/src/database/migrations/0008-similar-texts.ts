/** Number of characters of a text that are compared: a row of an index has at most 8 kB. */
export const comparedLength = 1000

/**
 * Finds the texts of a language that are the most similar to another one. Both extensions are part
 * of PostgreSQL and trusted: the owner of a database may create them.
 */
export const similarTexts = `
  create extension if not exists pg_trgm;
  create extension if not exists btree_gist;
  create index texts_similar on servicekit.texts
    using gist (language_id, left(value, ${comparedLength}) gist_trgm_ops);
`
