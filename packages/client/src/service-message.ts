/**
 * Finds the sentence for people in an error body, whichever of the interface's
 * error shapes it has (section 7): `{code, message: {title, errors}}`,
 * `{Errors: {Message}}`, problem+json, `{detail: [{msg}]}`, `{errors: {field}}`,
 * `{error, error_description}`.
 *
 * @returns undefined when the body says nothing.
 */
export function serviceMessage(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  const { message, Errors, errors, detail, title, error, error_description, errorMessage } = body
  if (isObject(message)) return join(text(message['title']), fields(message['errors']))
  if (isObject(Errors)) return text(Errors['Message'])
  if (Array.isArray(detail)) return join(...detail.map((entry) => validation(entry)))
  return (
    join(text(error), text(error_description)) ??
    text(errorMessage) ??
    join(text(title), text(detail)) ??
    text(message) ??
    fields(errors)
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

function join(...parts: readonly (string | undefined)[]): string | undefined {
  return text(parts.filter((part) => part !== undefined).join(': '))
}

function fields(errors: unknown): string | undefined {
  if (!isObject(errors)) return undefined
  return text(
    Object.entries(errors)
      .map(([field, said]) => `${field}: ${Array.isArray(said) ? said.join(' ') : String(said)}`)
      .join('; '),
  )
}

function validation(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined
  const place = Array.isArray(entry['loc']) ? entry['loc'].join('.') : undefined
  return join(place, text(entry['msg']))
}
