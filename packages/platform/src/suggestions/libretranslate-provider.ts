import { z } from 'zod'
import { jsonRequest, type Send } from '../outgoing/send.ts'
import { baseOf, type SuggestionProvider } from './provider.ts'

/** Options of a LibreTranslate server, or of a compatible one. */
export interface LibreTranslateOptions {
  readonly kind: 'libretranslate'
  /** Base URL such as `http://localhost:5000`; `/translate` is appended. */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Time limit of a request in ms; 30000 by default. */
  readonly timeoutMs?: number
}

const Translated = z.object({
  translatedText: z.string(),
  alternatives: z.array(z.string()).optional(),
})

/** Confidence of a translation, since the server does not state one. */
const confidence = 0.6

/** Creates a provider that requests translations from a LibreTranslate server. */
export function libreTranslateProvider(
  { baseUrl, apiKey, timeoutMs = 30_000 }: LibreTranslateOptions,
  send: Send,
): SuggestionProvider {
  const url = `${baseUrl.replace(/\/$/, '')}/translate`
  return {
    name: 'libretranslate',
    propose: async ({ sourceText, currentLanguage, destinationLanguage }, _project, signal) => {
      const body = {
        q: sourceText,
        source: baseOf(currentLanguage),
        target: baseOf(destinationLanguage),
        format: 'text',
        alternatives: 3,
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
      }
      const { status, text } = await send(jsonRequest(url, body, timeoutMs), signal)
      if (status !== 200) throw new Error(`LibreTranslate responded with ${status}.`)
      const { translatedText, alternatives = [] } = Translated.parse(JSON.parse(text))
      const explanation = 'Machine translation.'
      return [{ translation: translatedText, confidence, explanation, alternatives }]
    },
  }
}
