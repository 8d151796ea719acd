import type { translation as wire } from '@servicekit/contract'
import type { z } from 'zod'
import type { Project } from '../database/project-directory.ts'

/** Request for suggestions, with defaults applied. */
export type SuggestionRequest = z.output<typeof wire.SuggestionRequest>

/** Suggestion of a provider, before it is checked. */
export interface Proposal {
  readonly translation: string
  /** Confidence between 0 and 1. */
  readonly confidence: number
  readonly explanation: string
  readonly alternatives: readonly string[]
}

/**
 * Source of suggestions. Its proposals are checked afterwards: those that lose a
 * placeholder or are too long are dropped.
 */
export interface SuggestionProvider {
  readonly name: string
  /** Returns proposals, best first; an empty list if there are none. */
  readonly propose: (
    request: SuggestionRequest,
    project: Project,
    signal?: AbortSignal,
  ) => Promise<readonly Proposal[]>
}

/** Returns the language of a code without region and script: `de` for `de-AT`. */
export const baseOf = (code: string): string => code.toLowerCase().split(/[-_]/)[0]!
