/** Query parameters that grant access to anyone who has them. */
const secretParameters =
  /^(code|state|sig|signature|token|access_token|refresh_token|id_token|id_token_hint|password|client_secret|login_hint|api_key|key|x-amz-signature|x-amz-credential|x-amz-security-token)$/i

/** Returns the path and query of a URL with the values of secret parameters redacted. */
export function redactUrl({ pathname, searchParams }: URL): string {
  const query = [...searchParams].map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${secretParameters.test(name) ? '***' : encodeURIComponent(value)}`,
  )
  return query.length === 0 ? pathname : `${pathname}?${query.join('&')}`
}
