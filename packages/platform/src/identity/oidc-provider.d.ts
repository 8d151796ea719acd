/*
 * The library's index prints a warning below Node 22, where it works all the
 * same; so the files behind the index are imported, which have no types.
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
