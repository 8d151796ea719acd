import { hash } from 'node:crypto'
import { byCodePoint, isObject, parseJson } from '@servicekit/core'
import type { NormalField, NormalListing, NormalSchema } from './normalise.ts'

/**
 * Lock file with the generated files and the listing they were generated from. Commit it
 * together with them.
 */
export const lockName = 'gateway.lock.json'

export interface Lock {
  /** Content hashes by file name, without the lock itself. */
  readonly files: ReadonlyMap<string, string>
  /**
   * Listing that the files were generated from, in a form that `normaliseListing` reads;
   * undefined in older locks.
   */
  readonly listing: readonly unknown[] | undefined
}

export function hashText(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').slice(0, 16)
}

/**
 * Prints one line per schema and file, so that branches which change different schemas
 * merge cleanly.
 *
 * @param isOrdered Stores the order of the schemas, see {@link dependsOnOrder}.
 */
export function printLock(
  files: ReadonlyMap<string, string>,
  listing: NormalListing,
  isOrdered: boolean,
): string {
  const schemas = [...listing.schemas].sort((left, right) => byCodePoint(left.name, right.name))
  const names = [...files.keys()].sort(byCodePoint)
  const order = isOrdered ? listing.schemas.map(({ name }) => name) : undefined
  return `{
  "lockVersion": 2,
  "generator": "@servicekit/codegen",
${order === undefined ? '' : `  "order": ${JSON.stringify(order)},\n`}  "schemas": ${block(schemas.map((schema) => [schema.name, printSchema(schema)]))},
  "files": ${block(names.map((name) => [name, JSON.stringify(files.get(name))]))}
}
`
}

function block(lines: readonly (readonly [name: string, text: string])[]): string {
  if (lines.length === 0) return '{}'
  return `{\n${lines.map(([name, text]) => `    ${JSON.stringify(name)}: ${text}`).join(',\n')}\n  }`
}

/**
 * Prints
 * `{"query":"Products","mutations":["insertProduct"],"fields":[["Name","String","Insert"],…]}`.
 */
function printSchema({ kind, query, mutations, fields }: NormalSchema): string {
  return JSON.stringify({
    ...(kind === 'object' ? { kind } : {}),
    ...(query === undefined ? {} : { query }),
    ...(mutations.length === 0
      ? {}
      : { mutations: mutations.map(({ name, kind }) => (kind ? { name, kind } : name)) }),
    fields: fields.map(packField),
  })
}

/** Returns name, type, requiredOn, description, fields and values, without trailing defaults. */
function packField(field: NormalField): readonly unknown[] {
  const { name, type, isArray, requiredOn, description, fields, values = [] } = field
  const packed = [name, isArray ? `[${type}]` : type]
  const rest = [requiredOn, description, fields.map(packField), values]
  const isDefault = [
    requiredOn === 'None',
    description === '',
    fields.length === 0,
    values.length === 0,
  ]
  return [...packed, ...rest.slice(0, isDefault.lastIndexOf(false) + 1)]
}

/**
 * Parses a lock. An invalid lock is treated as empty, and file names outside the folder
 * are ignored.
 */
export function parseLock(text: string | undefined): Lock {
  const files = new Map<string, string>()
  const content = parseJson(text ?? '')
  if (!isObject(content)) return { files, listing: undefined }
  for (const [name, hash] of Object.entries(isObject(content['files']) ? content['files'] : {})) {
    if (/^[a-z0-9_-]+\.(?:ts|js|d\.ts|md|labels\.json)$/.test(name) && typeof hash === 'string') {
      files.set(name, hash)
    }
  }
  const { schemas, order } = content
  return { files, listing: isObject(schemas) ? unpack(schemas, order) : undefined }
}

function unpack(schemas: Readonly<Record<string, unknown>>, order: unknown): readonly unknown[] {
  const names = Object.keys(schemas)
  const known = Array.isArray(order) ? order.map(String) : []
  const sorted = known.length === names.length ? known : names.sort(byCodePoint)
  return sorted.flatMap((name) => {
    const schema = schemas[name]
    if (!isObject(schema)) return []
    return {
      schemaName: name,
      schemaType: schema['kind'] === 'object' ? 2 : 1,
      querySchema: schema['query'],
      mutationSchemas: schema['mutations'],
      fields: unpackFields(schema['fields']),
    }
  })
}

function unpackFields(fields: unknown): readonly unknown[] {
  if (!Array.isArray(fields)) return []
  return fields.map((field: unknown) => {
    const [name, type, requiredOn, description, nested, values] = Array.isArray(field)
      ? field
      : [field]
    return { name, type, requiredOn, description, fields: unpackFields(nested), values }
  })
}
