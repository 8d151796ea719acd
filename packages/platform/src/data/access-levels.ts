import { AccessLevel, type data as wire } from '@servicekit/contract'
import { administers, type Caller } from '../http/caller.ts'

/** Operation on records: `write` inserts, `edit` updates. */
export type Verb = 'read' | 'write' | 'edit' | 'delete'

export type AccessLevels = Readonly<Record<Verb, number>>

type Levels = Pick<wire.SchemaField, `${Verb}AccessLevel`>

export const accessLevelsOf = (definition: Levels): AccessLevels => ({
  read: definition.readAccessLevel ?? AccessLevel.Inherited,
  write: definition.writeAccessLevel ?? AccessLevel.Inherited,
  edit: definition.editAccessLevel ?? AccessLevel.Inherited,
  delete: definition.deleteAccessLevel ?? AccessLevel.Inherited,
})

export type Denial = 'unauthenticated' | 'forbidden'

/**
 * Returns why the level denies access to the caller, or undefined if it is allowed.
 * Policies are not supported: `Custom`, like any unknown level, requires an administrator
 * of the project's organization.
 */
export function denialOf(
  level: number,
  caller: Caller | undefined,
  organizationId: string,
): Denial | undefined {
  if (level === AccessLevel.Public) return undefined
  if (!caller) return 'unauthenticated'
  if (level === AccessLevel.User || level === AccessLevel.Inherited) return undefined
  return administers(caller, organizationId) ? undefined : 'forbidden'
}
