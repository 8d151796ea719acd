import { type Instant, readInstant } from './page-sql.ts'

/** Roles and permissions within one organization (section 2.2). */
export interface Membership {
  readonly organizationId: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
}

/** User row, with memberships. */
export interface UserRow extends Record<string, unknown> {
  readonly item_id: string
  readonly created_date: Instant
  readonly last_updated_date: Instant
  readonly created_by: string | null
  readonly last_updated_by: string | null
  readonly email: string
  readonly user_name: string
  readonly password_hash: string | null
  readonly salutation: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly phone_number: string | null
  readonly language: string | null
  readonly platform: string | null
  readonly profile_image_url: string | null
  readonly profile_image_id: string | null
  readonly organization_id: string | null
  readonly tags: readonly string[]
  readonly active: boolean
  readonly is_verified: boolean
  readonly mfa_enabled: boolean
  readonly is_mfa_verified: boolean
  readonly user_mfa_type: number
  readonly user_creation_type: number
  readonly user_pass_type: number
  readonly verified_type: number
  readonly allowed_log_in_type: readonly number[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly last_logged_in_time: Instant | null
  readonly last_logged_in_device_info: string | null
  readonly log_in_count: number
  readonly memberships: readonly Membership[]
}

/**
 * Converts a row to the account of section 2.1, without sign-in data. `isVarified` is the
 * spelling used there.
 */
export const toAccount = (row: UserRow) => ({
  itemId: row.item_id,
  createdDate: readInstant(row.created_date),
  lastUpdatedDate: readInstant(row.last_updated_date),
  createdBy: row.created_by,
  lastUpdatedBy: row.last_updated_by,
  language: row.language,
  organizationId: row.organization_id,
  tags: row.tags,
  salutation: row.salutation,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  userName: row.user_name,
  phoneNumber: row.phone_number,
  memberships: row.memberships,
  active: row.active,
  isVarified: row.is_verified,
  profileImageUrl: row.profile_image_url,
  mfaEnabled: row.mfa_enabled,
  isMfaVerified: row.is_mfa_verified,
  userMfaType: row.user_mfa_type,
  userCreationType: row.user_creation_type,
})

/** Converts a row to the user of section 2.1. */
export const toUser = (row: UserRow) => ({
  ...toAccount(row),
  lastLoggedInTime: readInstant(row.last_logged_in_time),
  lastLoggedInDeviceInfo: row.last_logged_in_device_info,
  logInCount: row.log_in_count,
})

/** Converts a row to a user with the access within one organization, as in iam v4. */
export function toUserIn(row: UserRow, organizationId: string | undefined) {
  const wanted = organizationId ?? row.organization_id
  const access =
    row.memberships.find((one) => one.organizationId === wanted) ??
    (organizationId === undefined ? row.memberships[0] : undefined)
  return {
    ...toUser(row),
    roles: access?.roles ?? [],
    permissions: access?.permissions ?? [],
    attributes: row.attributes,
  }
}
