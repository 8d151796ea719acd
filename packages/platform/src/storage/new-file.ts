import type { storage as wire } from '@servicekit/contract'
import { isObject, parseJson } from '@servicekit/core'
import { extname } from 'node:path'
import type { z } from 'zod'
import { jsonProblem } from '../http/json-problem.ts'

const longestName = 255
/** Default of `moduleName`: Default_Construct. */
const defaultModule = 8

/** Parses an upload request, or returns its errors by field. */
export function newFile(body: z.output<typeof wire.PresignUpload>) {
  const problem = nameProblem(body.name)
  if (problem) return { errors: { name: problem } }
  const metaData = readMetaData(body.metaData)
  const tags = readTags(body.tags)
  // The strings themselves were checked, but not the values that they contain as JSON.
  for (const [name, value] of Object.entries({ metaData, tags })) {
    const inner = jsonProblem(value)
    if (inner) return { errors: { [name]: inner } }
  }
  return {
    name: body.name,
    parentDirectoryId: body.parentDirectoryId || null,
    accessModifier: body.accessModifier || 'Private',
    metaData,
    tags,
    moduleName: body.moduleName ?? defaultModule,
  }
}

function nameProblem(name: string): string | undefined {
  if (name.length > longestName) return `The name may have at most ${longestName} characters.`
  if (/[\u0000-\u001f\u007f/\\]/.test(name)) {
    return 'The name must not contain a slash or a control character.'
  }
  return name === '.' || name === '..' ? 'The name must not be "." or "..".' : undefined
}

/** Parses metadata, which is JSON in a string; any other string is kept as it is. */
function readMetaData(
  text: string | null | undefined,
): Record<string, { type: string; value: unknown }> {
  if (!text) return {}
  const value = parseJson(text)
  if (!isObject(value)) {
    return { metaData: { type: 'String', value: text } }
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const { type, value: inner } = isObject(entry) && 'value' in entry ? entry : { value: entry }
      return [name, { type: typeof type === 'string' ? type : typeName(inner), value: inner }]
    }),
  )
}

const typeName = (value: unknown): string =>
  typeof value === 'number' ? 'Number' : typeof value === 'boolean' ? 'Boolean' : 'String'

/** Parses tags: a JSON list in a string, or a comma-separated string. */
function readTags(text: string | null | undefined): string[] {
  if (!text) return []
  const value = parseJson(text)
  const tags = Array.isArray(value) ? value.map(String) : text.split(',')
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

/**
 * Returns the name under which the bytes are stored: an id that needs no escaping, and the
 * file's extension.
 */
export function systemNameOf(itemId: string, name: string): string {
  const ending = extname(name)
  return /^\.\w{1,10}$/.test(ending) ? `${itemId}${ending}` : itemId
}
