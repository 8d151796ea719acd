import { translation as wire } from '@servicekit/contract'
import type { Database } from '../database/database.ts'
import { implementStorable } from '../http/mount.ts'
import { json } from '../http/responses.ts'
import type { ResolvedOptions } from '../options.ts'
import { senderTo } from '../outgoing/send.ts'
import type { Project } from '../database/project-directory.ts'
import { isRightToLeft } from '@servicekit/core'
import { libreTranslateProvider } from './libretranslate-provider.ts'
import { openAiProvider } from './openai-provider.ts'
import { type Proposal, type SuggestionProvider, type SuggestionRequest } from './provider.ts'
import { translationMemory } from './translation-memory.ts'
import { hasSamePlaceholders } from './placeholders.ts'

export type Suggest = (
  request: SuggestionRequest,
  project: Project,
  signal?: AbortSignal,
) => Promise<wire.Suggestions & { readonly suggestions: readonly wire.Suggestion[] }>

/** GetTranslationSuggestion of section 4.7. */
export const suggestionOperations = [
  implementStorable(wire.suggest, async ({ services, project, body, request }) => {
    return json(await services.suggest(body, project, request.signal))
  }),
]

export function suggestFrom(
  database: Database,
  { suggestions }: Pick<ResolvedOptions, 'suggestions'>,
): Suggest {
  const provider = providerOf(database, suggestions)
  return async (request, project, signal) => {
    const proposals = await provider.propose(request, project, signal)
    return {
      suggestions: [...checkProposals(request, proposals)],
      contextAnalysis: contextOf(request),
    }
  }
}

function providerOf(
  database: Database,
  choice: ResolvedOptions['suggestions'],
): SuggestionProvider {
  if (choice === 'memory') return translationMemory(database)
  if ('propose' in choice) return choice
  // The operator chose this address, so it may be on this machine.
  const send = senderTo(new Set(['loopback', 'private']))
  return choice.kind === 'openai'
    ? openAiProvider(choice, send)
    : libreTranslateProvider(choice, send)
}

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

const styles = new Map([
  ['button', 'A short imperative phrase without final punctuation.'],
  ['label', 'A noun or a short phrase, not a sentence.'],
  ['heading', 'A short phrase without final punctuation.'],
  ['placeholder', 'A short example or hint.'],
  ['tooltip', 'One short sentence that explains what the element does.'],
  ['error_message', 'One sentence: what happened and how to fix it, without blame.'],
])

/** Builds the part of the response that describes the request. */
const contextOf = ({
  elementType,
  elementApplicationContext,
  destinationLanguage,
}: SuggestionRequest) => ({
  elementType,
  applicationContext: elementApplicationContext,
  recommendedStyle:
    styles.get(elementType.toLowerCase()) ?? 'The same style as the surrounding text.',
  culturalNotes: isRightToLeft(destinationLanguage)
    ? 'The language is written from right to left: punctuation and numbers may change their order.'
    : '',
})
