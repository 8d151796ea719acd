import type { translation as wire } from '@servicekit/contract'
import { hasSamePlaceholders } from './placeholders.ts'
import type { Proposal, SuggestionRequest } from './provider.ts'

/** Most suggestions of one answer, and alternatives of one suggestion. */
const maxSuggestions = 3

/**
 * The proposals that can be used: with the placeholders of the text, within the
 * length, each once, and with the text's outer white space, which sentences that
 * are put together depend on.
 */
export function checkProposals(
  { sourceText, maxCharacterLength }: Pick<SuggestionRequest, 'sourceText' | 'maxCharacterLength'>,
  proposals: readonly Proposal[],
): readonly wire.Suggestion[] {
  const [, before = '', after = ''] = /^(\s*)[\s\S]*?(\s*)$/.exec(sourceText) ?? []
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

/** Characters as a reader counts them, near enough: code points. */
const lengthOf = (text: string): number => [...text].length
