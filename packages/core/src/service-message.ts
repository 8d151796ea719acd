import { isObject } from './json.ts'

/**
 * Extracts the human-readable message from an error body, in any of the interface's error
 * shapes (section 7): `{code, message: {title, errors}}`, `{Errors: {Message}}`,
 * problem+json, `{detail: [{loc, msg}]}`, `{errors: {field}}`, `{errorMessage,
 * validationErrors}`, GraphQL's `{errors: [{message}]}`, `{error, error_description}`. For
 * an HTML page it is the title, for plain text the beginning.
 *
 * @returns undefined if the body has no message.
 */
export function serviceMessage(body: unknown): string | undefined {
  try {
    return messageIn(body)
  } catch {
    // Nested too deeply to be a message.
    return undefined
  }
}

function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return fromText(body)
  if (!isObject(body)) return undefined
  const { message, Errors, errors, detail, title, error, validationErrors } = body
  if (isObject(message)) return join(': ', message['title'], allOf(message['errors']))
  if (isObject(Errors)) return nonBlankString(Errors['Message']) ?? allOf(Errors)
  if (Array.isArray(detail)) return allOf(detail)
  return (
    join(': ', error, body['error_description']) ??
    join(': ', body['errorMessage'], allOf(validationErrors)) ??
    join(': ', title ?? message, detail, allOf(errors)) ??
    allOf(error) ??
    allOf(Errors)
  )
}

const nonBlankString = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Joins the parts that are texts; undefined if none is. */
const join = (separator: string, ...parts: readonly unknown[]): string | undefined =>
  nonBlankString(parts.filter((part) => nonBlankString(part)).join(separator))

/** Formats errors: a list of them, or an object with those of each field. */
function allOf(errors: unknown): string | undefined {
  if (Array.isArray(errors)) return join('; ', ...errors.map(entryOf))
  if (!isObject(errors)) return nonBlankString(errors)
  return join(
    '; ',
    ...Object.entries(errors).map(([field, detail]) => join(': ', field, detailOf(detail))),
  )
}

function detailOf(detail: unknown): string | undefined {
  if (Array.isArray(detail)) return join(' ', ...detail.map(detailOf))
  return isObject(detail) ? JSON.stringify(detail) : String(detail)
}

/** Formats one entry of a list of errors: its location and message. */
function entryOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return nonBlankString(entry)
  const place = entry['loc'] ?? entry['path']
  const message = entry['msg'] ?? entry['message']
  return join(': ', Array.isArray(place) ? place.join('.') : undefined, message)
}

function fromText(body: string): string | undefined {
  if (/<html|<!doctype/i.test(body.slice(0, 500))) {
    return nonBlankString(/<title[^>]*>([^<]*)/i.exec(body)?.[1])
  }
  // Truncated JSON is not readable, and may contain secrets.
  return /^\s*[[{"]/.test(body) ? undefined : nonBlankString(body.slice(0, 200))
}
