import type { translation as wire } from '@servicekit/contract'
import type { Database } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import { senderTo } from '../outgoing/send.ts'
import type { Project } from '../projects/project-directory.ts'
import { checkProposals } from './check-proposals.ts'
import { contextOf } from './context.ts'
import type { SuggestionProvider, SuggestionRequest } from './provider.ts'

/** Suggests translations: calls the provider and checks its proposals. */
export type Suggest = (
  request: SuggestionRequest,
  project: Project,
  signal?: AbortSignal,
) => Promise<wire.Suggestions & { readonly suggestions: readonly wire.Suggestion[] }>

/** Creates the suggestion function with the provider that the options name. */
export async function suggestFrom(
  database: Database,
  { suggestions }: Pick<ResolvedOptions, 'suggestions'>,
): Promise<Suggest> {
  const provider = await providerOf(database, suggestions)
  return async (request, project, signal) => {
    const proposals = await provider.propose(request, project, signal)
    return {
      suggestions: [...checkProposals(request, proposals)],
      contextAnalysis: contextOf(request),
    }
  }
}

async function providerOf(
  database: Database,
  choice: ResolvedOptions['suggestions'],
): Promise<SuggestionProvider> {
  if (choice === 'memory') {
    const { translationMemory } = await import('./translation-memory.ts')
    return translationMemory(database)
  }
  if ('propose' in choice) return choice
  // The operator chose this address, so it may be on this machine.
  const send = senderTo(new Set(['loopback', 'private']))
  if (choice.kind === 'openai') {
    const { openAiProvider } = await import('./openai-provider.ts')
    return openAiProvider(choice, send)
  }
  const { libreTranslateProvider } = await import('./libretranslate-provider.ts')
  return libreTranslateProvider(choice, send)
}
