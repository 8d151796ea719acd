/**
 * Which of the shapes that instances are known to answer a project answers.
 * Every member has the interface's own shape as its default.
 */
export interface Dialect {
  /** Language list of `/localization/v4`: a bare array, or one in `items` or `data`. */
  readonly languageList: 'array' | 'items' | 'data'
  /** Member of a language of `/localization/v4` that holds its code. */
  readonly languageCode: 'languageCode' | 'code' | 'culture'
  /** Answer to an unknown language or module: 400, or 200 with an empty body. */
  readonly unknownFile: 'reject' | 'empty'
  /** Gateway query field of a schema: as `querySchema` says, or `get` before it. */
  readonly queryNaming: 'asGiven' | 'get'
}

/** Choices by member, the default first. */
export const dialectChoices: { readonly [K in keyof Dialect]: readonly Dialect[K][] } = {
  languageList: ['array', 'items', 'data'],
  languageCode: ['languageCode', 'code', 'culture'],
  unknownFile: ['reject', 'empty'],
  queryNaming: ['asGiven', 'get'],
}

export const defaultDialect: Dialect = {
  languageList: 'array',
  languageCode: 'languageCode',
  unknownFile: 'reject',
  queryNaming: 'asGiven',
}
