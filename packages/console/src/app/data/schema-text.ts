import type { DataSchema } from '@servicekit/client/data'
import {
  ACCESS,
  DELETE_ACCESS,
  EDIT_ACCESS,
  INSERT_ACCESS,
  LEVEL_CUSTOM,
  LEVEL_INHERITED,
  LEVEL_PUBLIC,
  LEVEL_USER,
  NESTED_OBJECT,
  READ_ACCESS,
  REQUIRED_BOTH,
  REQUIRED_INSERT,
  REQUIRED_UPDATE,
} from '~uilm/data'
import { ENTITY, REQUIRED_ON } from '~uilm/schemas'
import type { SchemaField } from './relations.ts'
import { levelNames } from './schema-changes.ts'

/** Names of the access levels of the interface, by their code. */
const levels = [LEVEL_INHERITED, LEVEL_USER, LEVEL_PUBLIC, LEVEL_CUSTOM]

export const requirements: Readonly<Record<string, () => string>> = {
  Insert: REQUIRED_INSERT,
  Update: REQUIRED_UPDATE,
  Both: REQUIRED_BOTH,
}

/** Names of what the access levels permit. */
export const verbs = {
  readAccessLevel: READ_ACCESS,
  writeAccessLevel: INSERT_ACCESS,
  editAccessLevel: EDIT_ACCESS,
  deleteAccessLevel: DELETE_ACCESS,
}

/** Returns when a field requires a value; empty if it never does. */
export const requirementText = ({ requiredOn = '' }: SchemaField): string =>
  Object.hasOwn(requirements, requiredOn) ? requirements[requiredOn]!() : ''

export const levelName = (level: number | undefined): string =>
  (levels[level ?? 0] ?? LEVEL_CUSTOM)()

/** Returns the access levels of a schema or a field, with the names of their verbs. */
export const accessOf = (one: DataSchema | SchemaField) =>
  levelNames.map((name) => [verbs[name](), one[name]] as const)

export const typeText = ({ type, isArray }: SchemaField): string =>
  isArray ? `[${type || 'JSON'}]` : type || 'JSON'

/** Describes a field in one line. */
export function fieldText(field: SchemaField): string {
  const on = requirementText(field)
  const access = accessOf(field).flatMap(([verb, level]) =>
    level ? ACCESS({ verb, level: levelName(level) }) : [],
  )
  const inner = field.fields?.length
    ? [`{ ${field.fields.map(({ name }) => name).join(', ')} }`]
    : []
  return [
    typeText(field),
    ...inner,
    ...(on === '' ? [] : [REQUIRED_ON({ on })]),
    ...access,
    ...(field.description ? [`“${field.description}”`] : []),
  ].join(' · ')
}

// A member may be called like one that every object inherits.
const isLevel = (name: string): name is keyof typeof verbs => Object.hasOwn(verbs, name)

/** Describes the value of a member other than a field. */
export function memberText(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isLevel(name)) return levelName(value as number)
  if (name === 'schemaType') return value === 2 ? NESTED_OBJECT() : ENTITY()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the label of a member other than a field. */
export const memberLabel = (name: string): string => (isLevel(name) ? verbs[name]() : name)
