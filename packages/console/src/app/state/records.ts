/** Records of the control routes, as far as the console shows them. */

export interface LanguageRecord {
  readonly languageCode: string
  readonly languageName: string
  readonly isDefault: boolean
  readonly isDraft: boolean
  readonly written: number
  readonly keys: number
}

export interface ModuleRecord {
  readonly moduleName: string
  readonly isDraft: boolean
  readonly keys: number
  /** Number of served translations by language code. */
  readonly written: Readonly<Record<string, number>>
  /** Number of plural forms that a language neither has nor uses, by language code. */
  readonly unusedForms: Readonly<Record<string, number>>
}

type Texts = Readonly<Record<string, string | null>>

export interface KeyRecord {
  readonly module: string
  readonly key: string
  /** Served translations by language code. */
  readonly texts: Texts
  /** Drafted translations by language code. */
  readonly drafts: Texts
  readonly isRemoved: boolean
  readonly details?: {
    readonly context?: string
    readonly maxLength?: number
    readonly usedIn?: readonly string[]
  }
}

export type DraftRecord =
  | {
      readonly module: string
      readonly key: string
      readonly language: string
      readonly value: string | null
    }
  | { readonly module: string; readonly key: string; readonly isRemoved: true }

/** Change of a served translation. The values are null where there was or is none. */
export interface TextChangeRecord {
  readonly at: string
  readonly actor: string
  readonly email: string | null
  readonly module: string
  readonly key: string
  readonly language: string
  readonly previous: string | null
  readonly value: string | null
}

/** Job that translates what is missing, with its progress. */
export interface TranslationJob {
  readonly itemId: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly total: number
  readonly filled: number
  readonly withoutSuggestion: number
  readonly error: string | null
}

export interface DeliveryRecord {
  readonly id: number
  readonly messageId: string
  readonly kind: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'skipped'
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly body: unknown
  readonly attempts: readonly DeliveryAttempt[]
}

interface DeliveryAttempt {
  readonly at: string
  readonly url: string
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

/** Delivery with what each attempt sent and received. */
export interface DeliveryDetails extends DeliveryRecord {
  readonly attempts: readonly (DeliveryAttempt & {
    readonly requestHeaders: Readonly<Record<string, string>> | null
    readonly responseHeaders: Readonly<Record<string, string | readonly string[]>> | null
    readonly responseBody: string | null
  })[]
}
