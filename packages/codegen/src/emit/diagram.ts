import type { Model, SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'
import { findRelations, type Relation, type RelationOptions } from '../relations.ts'
import { type EmittedFile, markdownHead } from './file.ts'
import { isSystemField } from './system-fields.ts'

/**
 * Emits `diagram.md`: all schemas with their fields and relations as an entity-relationship
 * diagram of Mermaid, which GitHub, GitLab and editors show. The fields that every record has
 * are left out, apart from ItemId.
 */
export function emitDiagram(model: Model, configured?: RelationOptions): EmittedFile {
  const relations = findRelations(model, configured)
  const ids = new Set(relations.filter(({ field }) => field.scalar).map(({ field }) => field))
  const lines = [
    ...model.schemas.flatMap((schema) => formatEntity(schema, ids)),
    ...relations.map(formatRelation),
  ]
  const text = `${markdownHead}\n\`\`\`mermaid\nerDiagram\n${lines.join('')}\`\`\`\n`
  return { name: 'diagram.md', text }
}

function formatEntity(
  { name, kind, fields }: SchemaModel,
  ids: ReadonlySet<FieldModel>,
): readonly string[] {
  const shown = fields.filter(
    (field) => kind === 'object' || field.name === 'ItemId' || !isSystemField(field),
  )
  return [
    `  ${quoted(name)} {\n`,
    ...shown.map((field) => {
      const key = field.name === 'ItemId' ? ' PK' : ids.has(field) ? ' FK' : ''
      const comment = field.description === '' ? '' : ` ${quoted(field.description)}`
      return `    ${typeOf(field)} ${field.name}${key}${comment}\n`
    }),
    '  }\n',
  ]
}

/** Words may not contain other characters than these. */
const typeOf = ({ type, isArray }: FieldModel): string =>
  `${type.replaceAll(/^(?!\p{L})|[^\p{L}\p{N}_-]/gu, '_') || '_'}${isArray ? '[]' : ''}`

/** A record may have no id of another; an object exists only within its record. */
function formatRelation({ from, field, to }: Relation): string {
  const line = field.scalar ? '..' : '--'
  const target = field.isArray ? '}o' : '|o'
  const many = field.scalar ? 'o{' : '||'
  return `  ${quoted(to.name)} ${target}${line}${many} ${quoted(from.name)} : ${quoted(field.name)}\n`
}

/** Mermaid has no escapes within quotes. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll(/["`]/g, "'")
    .replaceAll(/[%\\\s]+/g, ' ')
    .trim()}"`
