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
  const { message, Errors, errors, detail, title, error, error_description, errorMessage } = body
  if (isObject(message)) return join(text(message['title']), fields(message['errors']))
  if (isObject(Errors)) return text(Errors['Message']) ?? fields(Errors)
  if (Array.isArray(detail)) {
    return list(detail.map((entry) => entryOf(entry, 'loc', 'msg')))
  }
  return (
    join(text(error), text(error_description)) ??
    join(text(errorMessage), fields(body['validationErrors'])) ??
    join(text(title), text(detail), fields(errors)) ??
    join(text(message), fields(errors)) ??
    fields(error) ??
    fields(Errors)
  )
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

function join(...parts: readonly (string | undefined)[]): string | undefined {
  return text(parts.filter((part) => part !== undefined).join(': '))
}

const list = (parts: readonly (string | undefined)[]): string | undefined =>
  text(parts.filter((part) => part !== undefined).join('; '))

function fields(errors: unknown): string | undefined {
  if (Array.isArray(errors)) return list(errors.map((entry) => entryOf(entry, 'path', 'message')))
  if (!isObject(errors)) return text(errors)
  return list(Object.entries(errors).map(([field, detail]) => join(field, messageOf(detail))))
}

function messageOf(detail: unknown): string | undefined {
  if (Array.isArray(detail)) return text(detail.map((part) => messageOf(part)).join(' '))
  return isObject(detail) ? JSON.stringify(detail) : (text(detail) ?? String(detail))
}

/** Formats one entry of a list of errors: location and message. */
function entryOf(entry: unknown, place: string, saying: string): string | undefined {
  if (!isObject(entry)) return text(entry)
  const where = entry[place]
  return join(Array.isArray(where) ? where.join('.') : undefined, text(entry[saying]))
}

function fromText(body: string): string | undefined {
  if (/<html|<!doctype/i.test(body.slice(0, 500))) {
    return text(/<title[^>]*>([^<]*)/i.exec(body)?.[1])
  }
  // Truncated JSON is not readable, and may contain secrets.
  return /^\s*[[{"]/.test(body) ? undefined : text(body.slice(0, 200))
}
