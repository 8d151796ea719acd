/**
 * Time of the change of a comment, and the person who removed it. A removed comment has no text; it stays, so that
 * the comments after it can be understood.
 */
export const commentChanges = `
  alter table servicekit.comments
    add column edited_at timestamptz,
    add column removed_at timestamptz,
    add column removed_by text;
`
