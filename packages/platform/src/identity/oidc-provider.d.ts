/*
 * Types of files behind the library's index. They are imported directly, because the
 * index prints a warning below Node 22, although it works there.
 */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider'
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  export class InvalidGrant extends Error {
    constructor(detail: string)
  }
  export class InvalidRequest extends Error {
    constructor(description: string)
  }
}
