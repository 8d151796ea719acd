/**
 * Integer codes of the interface. The interface lists the fields (section 2.11) but not the
 * meanings; these are the meanings that deployed instances use. Treat an unknown code as
 * valid data: it must survive a round trip.
 */
type Codes = Readonly<Record<string, number>>

export const UserPassType = { None: 0, Password: 1, Pin: 2 } as const satisfies Codes
export const UserCreationType = {
  None: 0,
  Portal: 1,
  Api: 2,
  Service: 3,
  Social: 4,
  ThirdParty: 5,
} as const satisfies Codes
/** Codes of `verifiedType`, which `idp/v1` spells `varifiedType`. */
export const VerifiedType = { None: 0, Email: 1, Sms: 2, WhatsApp: 3 } as const satisfies Codes
export const UserMfaType = {
  None: 0,
  TOTP: 1,
  Email: 2,
  Sms: 3,
  WhatsApp: 4,
} as const satisfies Codes
/** Entries of `allowedLogInType`. */
export const LogInType = {
  None: 0,
  Password: 1,
  SSO: 2,
  AuthorizationCode: 3,
} as const satisfies Codes
/** Codes of an organization's `createdFrom`. */
export const CreatedFrom = { None: 0, Cloud: 1, Signup: 2, Portal: 3 } as const satisfies Codes
export const PermissionType = {
  None: 0,
  Endpoint: 1,
  FrontendAction: 2,
  DataProtection: 3,
} as const satisfies Codes
/** Codes of `moduleName` in the storage routes; servers default to Default_Construct. */
export const StorageModule = {
  None: 0,
  Cloud: 1,
  Construct: 2,
  Default_Cloud: 3,
  AI_Cloud: 4,
  OS_Cloud: 5,
  Localization: 6,
  LMT: 7,
  Default_Construct: 8,
  AI_Construct: 9,
  OS_Construct: 10,
  DataGateway: 11,
} as const satisfies Codes
/** Codes of `schemaType` in a schema listing. Only entities have operations. */
export const SchemaType = { Entity: 1, Nested: 2 } as const satisfies Codes
/**
 * Access levels of a data schema or one of its fields. `Inherited` means the schema's level
 * for a field, and `User` for a schema. `User` includes every signed-in user and every
 * machine with a token. `Custom` refers to policies of the instance.
 */
export const AccessLevel = { Inherited: 0, User: 1, Public: 2, Custom: 3 } as const satisfies Codes
