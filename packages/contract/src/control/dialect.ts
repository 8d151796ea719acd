import { z } from 'zod'

/** Defines a member: its description and its values, the default first. */
const member = <const V extends readonly [string, ...string[]]>(values: V, description: string) =>
  z.enum(values).describe(description)

/**
 * Members of a dialect. Type, defaults, validation and documentation derive from this table;
 * `http/adapt-response.ts` applies them to responses.
 */
export const dialectMembers = {
  languageList: member(
    ['array', 'items', 'data'],
    'language list of `/localization/v4`: an array, or an object with the array in `items` or `data`',
  ),
  languageCode: member(
    ['languageCode', 'code', 'culture'],
    'member with the code of a language of `/localization/v4`',
  ),
  unknownFile: member(
    ['reject', 'empty'],
    'response to an unknown language or module: 400, or 200 with an empty body',
  ),
  missingTranslation: member(
    ['asStored', 'marker', 'null', 'empty'],
    'missing translation: as it is stored, `[ KEY MISSING ]`, null or an empty string',
  ),
  keyFile: member(
    ['nested', 'flat'],
    'file of the language `key`: nested at dots, or flat like the others',
  ),
  moduleList: member(
    ['array', 'absent'],
    'module list, which the interface does not have: an array, or 404',
  ),
  etag: member(['sent', 'absent'], 'ETag of translation files'),
  suggestions: member(
    ['list', 'content'],
    'suggested translations: a list, or the best one as a string in `content`',
  ),
  queryNaming: member(
    ['asGiven', 'get'],
    'gateway query of a schema: `querySchema` as given, or prefixed with `get`',
  ),
  schemaList: member(['data', 'items'], 'list of data schemas: in `data.items`, or in `items`'),
  mutationNames: member(
    ['asGiven', 'strings', 'objects'],
    'mutations of a listed schema: as given, as strings, or as objects with a name',
  ),
  insertCount: member(
    ['exact', 'zero'],
    '`totalImpactedData` of an insert: the number of records, or 0',
  ),
  toolErrors: member(
    ['documented', 'unprocessable'],
    'errors of tools and knowledge: the documented status, or 422 for each',
  ),
  storageList: member(
    ['array', 'data', 'items'],
    'list of storage configurations: an array, or an object with the array in `data` or `items`',
  ),
  presigned: member(
    ['preSignedUrl', 'uploadUrl', 'url', 'PascalCase'],
    'member with the upload address; the default sends `uploadUrl` as well',
  ),
  download: member(['object', 'text'], 'download address: in `url` of an object, or plain text'),
  redirectName: member(
    ['redirect_uri', 'authorizationUrl', 'url'],
    'member with the address to sign in at',
  ),
  tokenNames: member(
    ['both', 'camelCase', 'snake_case'],
    'members of the token response to client credentials',
  ),
  verifiedName: member(
    ['isVarified', 'isVerified'],
    'member that states whether the e-mail address of a user is verified',
  ),
  access: member(
    ['list', 'byOrganization'],
    'roles and permissions of a user: lists, or objects from organization to list',
  ),
} as const

/** Any choice of members, as in `project.json` and the control operation. */
export const DialectChoice = z.strictObject(dialectMembers).partial()

/**
 * Response shapes of a project, chosen from those that instances are known to use. Every
 * member defaults to the shape of the interface.
 */
export const Dialect = z.object(dialectMembers)
export type Dialect = {
  readonly [K in keyof typeof dialectMembers]: z.infer<(typeof dialectMembers)[K]>
}

/** Returns a complete dialect: the chosen members, and defaults for the others. */
export const completeDialect = (choice: z.infer<typeof DialectChoice> = {}): Dialect =>
  Object.fromEntries(
    Object.entries(dialectMembers).map(([name, { options }]) => [
      name,
      choice[name as keyof Dialect] ?? options[0],
    ]),
  ) as Dialect

/** Shapes of the interface. */
export const defaultDialect = completeDialect()
