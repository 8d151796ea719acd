import type { data } from '@servicekit/contract'
import type { IdentityFile } from '../identity/parse-identity.ts'
import type { Dialect } from './dialect.ts'
import type { ProjectExtras } from './project-extras.ts'

/** A language of a project, in the interface's words (section 2.4). */
export interface LanguageSource {
  readonly itemId: string
  readonly languageName: string
  readonly languageCode: string
  readonly isDefault: boolean
}

/** A module of a project. */
export interface ModuleSource {
  readonly itemId: string
  readonly moduleName: string
}

/** The texts of one language and module. A null is served as a null. */
export interface FileSource {
  readonly language: string
  readonly module: string
  readonly texts: ReadonlyMap<string, string | null>
  /** Hash of the content, which tells a changed file from one that was loaded before. */
  readonly hash: string
}

/** A record of a schema: its properties by name, system properties among them. */
export type RecordSource = Readonly<Record<string, unknown>>

/**
 * All that a project is made of, as read from a folder or built by a program.
 * Languages and modules keep their order; the first default language counts.
 */
export interface ProjectSource {
  readonly key: string
  readonly name: string
  readonly organizationId: string
  /** Code of the language that texts fall back to. */
  readonly fallback: string
  readonly dialect: Dialect
  /** Origins of browser applications that may call the project; none by default. */
  readonly origins?: readonly string[] | undefined
  readonly languages: readonly LanguageSource[]
  readonly modules: readonly ModuleSource[]
  readonly files: readonly FileSource[]
  readonly schemas: readonly data.DataSchema[]
  readonly records: ReadonlyMap<string, readonly RecordSource[]>
  /** Who may use the project; what it does not name stays as it is. */
  readonly identity?: IdentityFile | undefined
  /** What an export adds: drafts, people, tools and the like. */
  readonly extras?: ProjectExtras | undefined
}
