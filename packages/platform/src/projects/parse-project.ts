import { data, limits, webhooks } from '@servicekit/contract'
import {
  assignments,
  comments,
  completeDialect,
  DialectChoice,
  IdentityFile,
  Origin,
  states,
  tools,
  translations,
} from '@servicekit/contract/control'
import { isObject, isVisibleAscii, stringProblem } from '@servicekit/core'
import { printExactJson } from '@servicekit/core/exact-json'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { sourceProblem } from '../localization/catalog-names.ts'
import type { ProjectSource, RecordSource } from '../project-source.ts'
import { jsonProblem } from '../http/json-problem.ts'

/** Tables whose rows an export includes unchanged, in the order in which they were created. */
export const rowTables = [
  ['organizations', 'seq'],
  ['users', 'seq'],
  ['memberships', 'organization_id'],
  ['roles', 'seq'],
  ['permissions', 'seq'],
  ['clients', 'client_id'],
  ['webhooks', 'item_id'],
  ['tools', 'item_id'],
  ['agents', 'item_id'],
  ['knowledge', 'id'],
  ['stored_files', 'seq'],
] as const

/** Adds an issue if the database cannot store a string in the value. */
const storable = <S extends z.ZodType>(schema: S) =>
  schema.superRefine((value, context) => {
    const problem = jsonProblem(value)
    if (problem) context.addIssue(problem)
  })

/** Returns the path to the first integer that a number would round, if there is one. */
function largeIntegerIn(value: unknown): readonly string[] | undefined {
  if (typeof value === 'bigint') return []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const path = largeIntegerIn(member)
    if (path) return [name, ...path]
  }
  return undefined
}

/** Adds an issue for what {@link storable} refuses, and for an integer that only a record may have. */
const storableAsNumbers = <S extends z.ZodType>(schema: S) =>
  storable(schema).superRefine((value, context) => {
    const path = largeIntegerIn(value)
    const message = 'an integer beyond 2^53 - 1 is possible only in a record'
    if (path) context.addIssue({ code: 'custom', path: [...path], message })
  })

/** List of objects that one member identifies. */
const listOf = <S extends z.ZodType<object>>(entry: S, identifier: keyof z.infer<S> & string) =>
  z.array(storableAsNumbers(entry)).superRefine((entries, context) => {
    const seen = new Set<unknown>()
    for (const [index, value] of entries.entries()) {
      const id = value[identifier]
      const message = `duplicate ${String(id)}`
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, identifier], message })
      seen.add(id)
    }
  })

/**
 * Object as a map from its own members: an object would drop the name `__proto__`, and has inherited
 * members such as `constructor`, which modules may be named.
 */
const membersOf = <S extends z.ZodType>(schema: S) =>
  z
    .custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object')
    .transform((value) => new Map(Object.entries(value)))
    .pipe(z.map(z.string(), schema))

/** Flat object from key to translation. Not a zod record, which drops the key `__proto__`. */
const Translations = z
  .custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object from key to translation')
  .transform((file, context) => {
    const texts = new Map<string, string | null>()
    for (const [key, text] of Object.entries(file)) {
      const problem = translationProblem(text)
      if (problem) context.addIssue({ code: 'custom', path: [key], message: problem })
      texts.set(key, text as string | null)
    }
    return texts
  })

function translationProblem(text: unknown): string | undefined {
  if (text !== null && typeof text !== 'string') {
    return 'a translation must be a string or null; translation files are flat'
  }
  return text === null ? undefined : stringProblem(text)
}

const { url, contentType, serviceWebhookSecret } = webhooks.Webhook.shape
const { headerKey, secret } = serviceWebhookSecret.unwrap().unwrap().shape
const { name: toolName } = tools.Tool.shape
const { name: agentName, status, toolIds } = tools.Agent.shape

/** Columns with rules of the interface; the database knows the types of all columns. */
const restricted = {
  tools: z.looseObject({ name: toolName, auth: tools.ToolAuth }),
  agents: z.looseObject({ name: agentName, status, tool_ids: toolIds }),
  webhooks: z.looseObject({ url, content_type: contentType, header_key: headerKey, secret }),
}

const Row = storableAsNumbers(z.record(z.string(), z.unknown()))

/** Rows by table. */
const Rows = z
  .partialRecord(z.enum(rowTables.map(([name]) => name)), z.array(Row))
  .superRefine((rows, context) => {
    for (const [table, schema] of Object.entries(restricted)) {
      const { error } = z.array(schema).safeParse(rows[table as keyof typeof restricted] ?? [])
      for (const { path, message } of error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: [table, ...path], message })
      }
    }
  })

const Project = z
  .strictObject({
    name: z.string().min(1),
    projectKey: z
      .string()
      .max(limits.projectKeyLength)
      .refine(isVisibleAscii, 'must consist of visible ASCII characters, because headers carry it')
      .refine((key) => !/^\.{1,2}$/.test(key), 'cannot be . or .., which no address can contain'),
    organizationId: z.string().default(''),
    fallback: z.string().optional(),
    dialect: DialectChoice.optional(),
    origins: z.array(Origin).optional(),
    publishOnlyReviewed: z.boolean().optional(),
    notifyByMail: z.boolean().optional(),
    languages: listOf(
      z.object({
        itemId: z.string().min(1),
        languageName: z.string(),
        languageCode: z.string().min(1),
        isDefault: z.boolean(),
      }),
      'languageCode',
    ).default([]),
    modules: listOf(
      z.object({ itemId: z.string().min(1), moduleName: z.string().min(1) }),
      'moduleName',
    ).default([]),
    schemas: listOf(data.DataSchema, 'schemaName').default([]),
    texts: membersOf(membersOf(Translations)).default(new Map()),
    records: z
      .record(z.string(), z.array(storable(z.custom<RecordSource>(isObject, 'must be an object'))))
      .default({}),
    identity: storableAsNumbers(IdentityFile).optional(),
    drafts: z.array(storableAsNumbers(translations.DraftChange)).optional(),
    states: z.array(storableAsNumbers(states.StoredState)).optional(),
    comments: z.array(storableAsNumbers(comments.StoredComment)).optional(),
    assignments: z.array(storableAsNumbers(assignments.StoredAssignment)).optional(),
    rows: Rows.optional(),
  })
  .superRefine(({ languages, modules, schemas, texts, records }, context) => {
    const codes = new Set(languages.map(({ languageCode }) => languageCode))
    const names = new Set(modules.map(({ moduleName }) => moduleName))
    for (const [language, files] of texts) {
      for (const module of files.keys()) {
        if (codes.has(language) && names.has(module)) continue
        const message = 'the project has no such language or module'
        context.addIssue({ code: 'custom', path: ['texts', language, module], message })
      }
    }
    for (const schema of Object.keys(records)) {
      if (schemas.some(({ schemaName }) => schemaName === schema)) continue
      const message = 'the project has no such schema'
      context.addIssue({ code: 'custom', path: ['records', schema], message })
    }
  })

/** Members of a project that have a file of the same name. */
export const ownFiles = [
  'languages',
  'modules',
  'schemas',
  'identity',
  'drafts',
  'states',
  'comments',
  'assignments',
] as const

/** Number of steps that name a file, by the first step; `project` is the file of all others. */
const fileSteps: Readonly<Record<string, number>> = {
  ...Object.fromEntries(ownFiles.map((name) => [name, 1])),
  records: 2,
  rows: 2,
  texts: 3,
}

/**
 * Parses a project from one JSON value: the members of `project.json`, and the contents of
 * the other files under `languages`, `modules`, `schemas`, `texts.<language>.<module>`,
 * `records.<schema>`, `identity`, `drafts`, `states`, `comments`, `assignments` and `rows.<table>`. A missing translation file
 * has no translations.
 *
 * @param locate returns the file of a value, such as `texts`, `en`, `auth`, for errors.
 * @throws PlatformError `PROJECT_INVALID`, naming the file and the member.
 */
export function parseProject(
  value: unknown,
  locate: (steps: readonly string[]) => string = (steps) => steps.join('.'),
): ProjectSource {
  const { data: project, error } = Project.safeParse(value)
  if (error) {
    const { path, message } = error.issues[0]!
    const steps = path.map(String)
    const count = fileSteps[steps[0] ?? ''] ?? 0
    const file = count === 0 ? ['project'] : steps.slice(0, count)
    throw projectError(locate(file), steps.slice(count).join('.'), message)
  }
  const { projectKey, name, organizationId, ...members } = project
  const { texts, records, fallback, dialect, ...rest } = members
  const { languages, modules } = rest
  const source: ProjectSource = {
    key: projectKey,
    name,
    organizationId,
    ...rest,
    fallback:
      fallback ||
      (languages.find(({ isDefault }) => isDefault) ?? languages[0])?.languageCode ||
      '',
    dialect: completeDialect(dialect),
    files: languages.flatMap(({ languageCode: language }) =>
      modules.map(({ moduleName: module }) => {
        return { language, module, texts: texts.get(language)?.get(module) ?? new Map() }
      }),
    ),
    records: new Map(Object.entries(records)),
  }
  rejectInvalidNames(source, locate)
  return source
}

/** @throws PlatformError `PROJECT_INVALID` for a language code, a module name or a key. */
export function rejectInvalidNames(
  source: ProjectSource,
  locate: (steps: readonly string[]) => string = (steps) => steps.join('.'),
): void {
  const invalid = sourceProblem(source)
  if (invalid) throw projectError(locate(invalid.file), invalid.member, invalid.problem)
}

/** Creates the error for an invalid project, naming the file and the member. */
export const projectError = (file: string, member: string, problem: string): PlatformError =>
  new PlatformError('PROJECT_INVALID', `Cannot load the project: ${problem}`, {
    details: { file, ...(member ? { member } : {}) },
  })

/** Hashes a JSON value, to detect whether it changed since it was last loaded. */
export const contentHash = (value: unknown): string =>
  createHash('sha256').update(printExactJson(value)).digest('hex')
