/** Query parameters that grant access to anyone who has them. */
const secretParameters =
  /^(code|state|sig|signature|token|access_token|refresh_token|id_token|id_token_hint|password|client_secret|login_hint|api_key|key|x-amz-signature|x-amz-credential|x-amz-security-token)$/i

const hidden = '***'

/** Returns the path and query of a URL with the values of secret parameters redacted. */
export function redactUrl({ pathname, searchParams }: URL): string {
  const query = [...searchParams].map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${secretParameters.test(name) ? hidden : encodeURIComponent(value)}`,
  )
  return query.length === 0 ? pathname : `${pathname}?${query.join('&')}`
}

/** Redacts recognizable tokens, passwords and URL credentials in a string. */
export const redactText = (text: string): string =>
  text
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`)
    .replaceAll(/(:\/\/)[^/\s:@]*:[^/\s@]*@/g, `$1${hidden}@`)
    .replaceAll(
      /\b((?:[\w-]*(?:password|secret|token|api[_-]?key))["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s"',;&}]+)/gi,
      `$1${hidden}`,
    )
