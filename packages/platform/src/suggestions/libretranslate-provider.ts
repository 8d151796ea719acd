import { z } from 'zod'
import type { Send } from '../outgoing/send.ts'
import { baseOf } from './context.ts'
import type { SuggestionProvider } from './provider.ts'

/** Where a LibreTranslate server is, or one that speaks its protocol. */
export interface LibreTranslateOptions {
  readonly kind: 'libretranslate'
  /** Such as `http://localhost:5000`; what follows is `/translate`. */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Longest time of one answer in ms; 30000 by default. */
  readonly timeoutMs?: number
}

const Translated = z.object({
  translatedText: z.string(),
  alternatives: z.array(z.string()).optional(),
})

/** How sure a machine is taken to be that does not say. */
const confidence = 0.6

/** Asks a LibreTranslate server. */
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
      const { status, text } = await send(
        {
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          timeoutMs,
        },
        signal,
      )
      if (status !== 200) throw new Error(`The translation server answered ${status}.`)
      const { translatedText, alternatives = [] } = Translated.parse(JSON.parse(text))
      const explanation = 'Translated by a machine.'
      return [{ translation: translatedText, confidence, explanation, alternatives }]
    },
  }
}
