/**
 * Finds the sentence for people in an error body, whichever of the interface's
 * error shapes it has (section 7): `{code, message: {title, errors}}`,
 * `{Errors: {Message}}`, problem+json, `{detail: [{loc, msg}]}`,
 * `{errors: {field}}`, `{errorMessage, validationErrors}`, GraphQL's
 * `{errors: [{message}]}`, `{error, error_description}`; of an HTML page the
 * title, of plain text its beginning.
 *
 * @returns undefined when the body says nothing.
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
    fields(error)
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

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
  return list(Object.entries(errors).map(([field, said]) => join(field, sayingOf(said))))
}

function sayingOf(said: unknown): string | undefined {
  if (Array.isArray(said)) return text(said.map((part) => sayingOf(part)).join(' '))
  return isObject(said) ? JSON.stringify(said) : (text(said) ?? String(said))
}

/** One entry of a list of errors: where, and what. */
function entryOf(entry: unknown, place: string, saying: string): string | undefined {
  if (!isObject(entry)) return text(entry)
  const where = entry[place]
  return join(Array.isArray(where) ? where.join('.') : undefined, text(entry[saying]))
}

function fromText(body: string): string | undefined {
  if (/<html|<!doctype/i.test(body.slice(0, 500))) {
    return text(/<title[^>]*>([^<]*)/i.exec(body)?.[1])
  }
  // JSON that was cut says nothing to people, and may hold what they must not see.
  return /^\s*[[{"]/.test(body) ? undefined : text(body.slice(0, 200))
}
