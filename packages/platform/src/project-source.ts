import type { data, localization } from '@servicekit/contract'
import type {
  assignments,
  comments,
  Dialect,
  IdentityFile,
  projects,
  states,
  translations,
} from '@servicekit/contract/control'
import type { z } from 'zod'

/** Language of a project, as the interface defines it (section 2.4). */
export type LanguageSource = Readonly<Omit<localization.Language, 'projectKey'>>

/** Module of a project. */
export type ModuleSource = Readonly<localization.Module>

/** Translations of one language and module. Null is served as null. */
export interface FileSource {
  readonly language: string
  readonly module: string
  readonly texts: ReadonlyMap<string, string | null>
}

/** Record of a schema: properties by name, including system properties. */
export type RecordSource = Readonly<Record<string, unknown>>

/**
 * Complete project, as read from a folder or built by a program. Languages and modules keep
 * their order. If several languages are marked as default, the first one is used.
 */
export interface ProjectSource {
  readonly key: string
  readonly name: string
  readonly organizationId: string
  /** Code of the fallback language. */
  readonly fallback: string
  readonly dialect: Dialect
  /** Origins of browser applications that may call the project; none by default. */
  readonly origins?: readonly string[] | undefined
  /** Publishes only translations that are reviewed; false by default. */
  readonly publishOnlyReviewed?: boolean | undefined
  /** Sends people mails about mentions and assignments; false by default. */
  readonly notifyByMail?: boolean | undefined
  readonly languages: readonly LanguageSource[]
  readonly modules: readonly ModuleSource[]
  readonly files: readonly FileSource[]
  readonly schemas: readonly data.DataSchema[]
  readonly records: ReadonlyMap<string, readonly RecordSource[]>
  /** Users, roles and clients of the project; what it does not name stays unchanged. */
  readonly identity?: IdentityFile | undefined
  /** Of an export, like the following members; what is not given stays unchanged. */
  readonly drafts?: readonly translations.DraftChange[] | undefined
  /** States of translations and drafts. */
  readonly states?: readonly states.StoredState[] | undefined
  readonly comments?: readonly comments.StoredComment[] | undefined
  readonly assignments?: readonly assignments.StoredAssignment[] | undefined
  /** Rows of users, tools and similar data, by table. */
  readonly rows?: Readonly<Record<string, readonly RecordSource[] | undefined>> | undefined
  /** Folder with the bytes of files. */
  readonly filesFolder?: string | undefined
}

/** Problem in a project's data that does not prevent the rest from working. */
export type Problem = Readonly<z.infer<typeof projects.DataProblem>>
