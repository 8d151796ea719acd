/** Context, maximum length and uses of a key, for translators and suggestions. */
export const keyDetails = `
  alter table servicekit.keys add column details json;
  alter table servicekit.drafts add column details json;
`
