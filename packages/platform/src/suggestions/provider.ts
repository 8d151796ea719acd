import type { translation as wire } from '@servicekit/contract'
import type { z } from 'zod'
import type { Project } from '../projects/project-directory.ts'

/** A request for suggestions, with its defaults in place. */
export type SuggestionRequest = z.output<typeof wire.SuggestionRequest>

/** What a provider suggests, before it is checked. */
export interface Proposal {
  readonly translation: string
  /** How sure it is, between 0 and 1. */
  readonly confidence: number
  readonly explanation: string
  readonly alternatives: readonly string[]
}

/**
 * Where suggestions come from. What it proposes is checked afterwards: proposals
 * that lose a placeholder or are too long do not reach the caller.
 */
export interface SuggestionProvider {
  readonly name: string
  /** Proposals, the best first; an empty list when it knows none. */
  readonly propose: (
    request: SuggestionRequest,
    project: Project,
    signal?: AbortSignal,
  ) => Promise<readonly Proposal[]>
}
