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
  /** A text that nobody wrote: as it is stored, or in one of the ways of instances. */
  readonly missingText: 'asStored' | 'marker' | 'null' | 'empty'
  /** File of the language `key`: nested at dots, or flat like the others. */
  readonly keyFile: 'nested' | 'flat'
  /** List of modules, which is not in the interface: an array, or nothing at the address. */
  readonly moduleList: 'array' | 'absent'
  /** Whether translation files have an ETag; those of instances have none. */
  readonly etag: 'sent' | 'absent'
  /** Suggested translations: a list, or the text of the best one in `content`. */
  readonly suggestions: 'list' | 'content'
  /** Listing of data schemas: in `data.items`, or in `items`. */
  readonly schemaList: 'data' | 'items'
  /** Mutations of a listed schema: as given, as texts, or as objects with a name. */
  readonly mutationNames: 'asGiven' | 'texts' | 'objects'
  /** Count of an insert: what was inserted, or 0, with which some instances acknowledge. */
  readonly insertCount: 'exact' | 'zero'
  /** Refusals of tools and knowledge: with the documented status, or always 422. */
  readonly toolErrors: 'documented' | 'unprocessable'
  /** List of storage configurations: a bare array, or one in `data` or `items`. */
  readonly storageList: 'array' | 'data' | 'items'
  /** Names of the address for an upload and of the file's id; by default `uploadUrl` and `itemId` come too. */
  readonly presigned: 'preSignedUrl' | 'uploadUrl' | 'url' | 'PascalCase'
  /** Address for a download: in `url` of an object, or as plain text. */
  readonly download: 'object' | 'text'
  /** Member of the answer to `initiate` that holds the address. */
  readonly redirectName: 'redirect_uri' | 'authorizationUrl' | 'url'
  /** Members of a machine's token: both spellings, or one of them. */
  readonly tokenNames: 'both' | 'camelCase' | 'snake_case'
  /** Member of a user that says whether the address is verified. */
  readonly verifiedName: 'isVarified' | 'isVerified'
  /** Roles and permissions of a user: lists, or objects from organization to list. */
  readonly access: 'list' | 'byOrganization'
}

/** Choices by member, the default first. */
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
