/** Request and response of each attempt to deliver a webhook; null in earlier attempts. */
export const attemptDetails = `
  alter table servicekit.attempts
    add column request_headers jsonb,
    add column response_headers jsonb,
    add column response_body text;
`
