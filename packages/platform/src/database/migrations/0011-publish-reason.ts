/** Reason for which someone published translations that have errors. */
export const publishReason = `
  alter table servicekit.text_history add column reason text;
`
