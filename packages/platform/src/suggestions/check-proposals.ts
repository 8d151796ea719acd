import type { translation as wire } from '@servicekit/contract'
import { hasSamePlaceholders } from './placeholders.ts'
import type { Proposal, SuggestionRequest } from './provider.ts'

/** Maximum number of suggestions in a response, and of alternatives of a suggestion. */
const maxSuggestions = 3

/**
 * Returns the usable proposals: those that keep the placeholders of the source text and fit
 * the length, without duplicates. The outer white space of the source text is restored,
 * because concatenated sentences depend on it.
 */
export function checkProposals(
  { sourceText, maxCharacterLength }: Pick<SuggestionRequest, 'sourceText' | 'maxCharacterLength'>,
  proposals: readonly Proposal[],
): readonly wire.Suggestion[] {
  const before = sourceText.slice(0, sourceText.length - sourceText.trimStart().length)
  const after = sourceText.slice(sourceText.trimEnd().length)
  const fitted = (text: string): string => `${before}${text.trim()}${after}`
  const isUsable = (text: string): boolean =>
    text.trim() !== '' &&
    hasSamePlaceholders(text, sourceText) &&
    (maxCharacterLength == null || lengthOf(text) <= maxCharacterLength)

  const usable = new Map<string, Proposal>()
  for (const { translation, alternatives, ...rest } of proposals) {
    const all = [translation, ...alternatives].map(fitted).filter(isUsable)
    const [first, ...others] = [...new Set(all)]
    if (first === undefined || usable.has(first)) continue
    usable.set(first, { ...rest, translation: first, alternatives: others })
  }
  return [...usable.values()].slice(0, maxSuggestions).map((proposal) => ({
    translation: proposal.translation,
    confidence: Math.round(Math.min(1, Math.max(0, proposal.confidence)) * 100) / 100,
    characterCount: lengthOf(proposal.translation),
    explanation: proposal.explanation,
    alternativePhrasings: proposal.alternatives.slice(0, maxSuggestions),
  }))
}

/** Counts code points, which approximates the characters that a reader sees. */
const lengthOf = (text: string): number => [...text].length
