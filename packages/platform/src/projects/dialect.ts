/**
 * Response shapes of a project, chosen from those that instances are known to use. Every
 * member defaults to the shape of the interface.
 */
export interface Dialect {
  /** Language list of `/localization/v4`: a bare array, or an array in `items` or `data`. */
  readonly languageList: 'array' | 'items' | 'data'
  /** Member that holds the code of a language of `/localization/v4`. */
  readonly languageCode: 'languageCode' | 'code' | 'culture'
  /** Response to an unknown language or module: 400, or 200 with an empty body. */
  readonly unknownFile: 'reject' | 'empty'
  /** Gateway query field of a schema: `querySchema` as given, or prefixed with `get`. */
  readonly queryNaming: 'asGiven' | 'get'
  /** Missing translation: as it is stored, or in one of the forms that instances use. */
  readonly missingText: 'asStored' | 'marker' | 'null' | 'empty'
  /** File of the language `key`: nested at dots, or flat like the others. */
  readonly keyFile: 'nested' | 'flat'
  /** Module list, which is not in the interface: an array, or no route. */
  readonly moduleList: 'array' | 'absent'
  /** ETag of translation files; those of instances have none. */
  readonly etag: 'sent' | 'absent'
  /** Suggested translations: a list, or the best one as text in `content`. */
  readonly suggestions: 'list' | 'content'
  /** Listing of data schemas: in `data.items`, or in `items`. */
  readonly schemaList: 'data' | 'items'
  /** Mutations of a listed schema: as given, as strings, or as objects with a name. */
  readonly mutationNames: 'asGiven' | 'texts' | 'objects'
  /** Count of an insert: the number of inserted records, or 0, which some instances return. */
  readonly insertCount: 'exact' | 'zero'
  /** Errors of tools and knowledge routes: with the documented status, or always 422. */
  readonly toolErrors: 'documented' | 'unprocessable'
  /** List of storage configurations: a bare array, or an array in `data` or `items`. */
  readonly storageList: 'array' | 'data' | 'items'
  /**
   * Names of the upload address and of the file's id; the default also sends `uploadUrl`
   * and `itemId`.
   */
  readonly presigned: 'preSignedUrl' | 'uploadUrl' | 'url' | 'PascalCase'
  /** Download address: in `url` of an object, or as plain text. */
  readonly download: 'object' | 'text'
  /** Member of the response to `initiate` that holds the address. */
  readonly redirectName: 'redirect_uri' | 'authorizationUrl' | 'url'
  /** Members of a machine's token: both spellings, or one of them. */
  readonly tokenNames: 'both' | 'camelCase' | 'snake_case'
  /** Member of a user that states whether the address is verified. */
  readonly verifiedName: 'isVarified' | 'isVerified'
  /** Roles and permissions of a user: lists, or objects from organization to list. */
  readonly access: 'list' | 'byOrganization'
}

/** Choices of each member, the default first. */
export const dialectChoices: { readonly [K in keyof Dialect]: readonly Dialect[K][] } = {
  languageList: ['array', 'items', 'data'],
  languageCode: ['languageCode', 'code', 'culture'],
  unknownFile: ['reject', 'empty'],
  queryNaming: ['asGiven', 'get'],
  missingText: ['asStored', 'marker', 'null', 'empty'],
  keyFile: ['nested', 'flat'],
  moduleList: ['array', 'absent'],
  etag: ['sent', 'absent'],
  suggestions: ['list', 'content'],
  schemaList: ['data', 'items'],
  mutationNames: ['asGiven', 'texts', 'objects'],
  insertCount: ['exact', 'zero'],
  toolErrors: ['documented', 'unprocessable'],
  storageList: ['array', 'data', 'items'],
  presigned: ['preSignedUrl', 'uploadUrl', 'url', 'PascalCase'],
  download: ['object', 'text'],
  redirectName: ['redirect_uri', 'authorizationUrl', 'url'],
  tokenNames: ['both', 'camelCase', 'snake_case'],
  verifiedName: ['isVarified', 'isVerified'],
  access: ['list', 'byOrganization'],
}

export const defaultDialect: Dialect = {
  languageList: 'array',
  languageCode: 'languageCode',
  unknownFile: 'reject',
  queryNaming: 'asGiven',
  missingText: 'asStored',
  keyFile: 'nested',
  moduleList: 'array',
  etag: 'sent',
  suggestions: 'list',
  schemaList: 'data',
  mutationNames: 'asGiven',
  insertCount: 'exact',
  toolErrors: 'documented',
  storageList: 'array',
  presigned: 'preSignedUrl',
  download: 'object',
  redirectName: 'redirect_uri',
  tokenNames: 'both',
  verifiedName: 'isVarified',
  access: 'list',
}
