import { isObject } from '@servicekit/core'
import type { translation as contract } from '@servicekit/contract'
import { limits } from '@servicekit/contract/limits'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { listIn, operate, pick, nonEmptyString, wrongShape } from './operate.ts'

/** Input for a translation suggestion. */
export interface SuggestionRequest {
  /** Source text. */
  readonly text: string
  /** Language code of the source text, such as `en-US`. */
  readonly from: string
  /** Language code of the translation. */
  readonly to: string
  /** Type of UI element: button, label, heading, placeholder, tooltip, error_message … */
  readonly elementType: string
  /** Describes the application. */
  readonly applicationContext: string
  /** Describes the purpose of the element. */
  readonly detailContext: string
  /** From 0 to 1. The default of the service is 0.7. */
  readonly temperature?: number
  /** Maximum length of the translation, in characters. */
  readonly maxCharacterLength?: number
}

/** Suggested translation. */
export interface Suggestion {
  /** Translated text. */
  readonly translation: string
  /** From 0 to 1; undefined if the instance does not return it. */
  readonly confidence: number | undefined
  /** Length of the translation, in characters. */
  readonly characterCount: number
  /** Reason for the translation; undefined if the instance does not return it. */
  readonly explanation: string | undefined
  /** Alternative phrasings. */
  readonly alternatives: readonly string[]
}

/** Suggestions for a text, with the analysis of its context. */
export interface Suggestions {
  /** Suggestions, best first. */
  readonly suggestions: readonly Suggestion[]
  /** Context analysis; undefined if the instance does not return it. */
  readonly context: contract.Suggestions['contextAnalysis']
  /** Response as received. */
  readonly raw: unknown
}

/**
 * Suggests translations of a UI text.
 *
 * @throws TypeError for a temperature or length outside its limits; nothing is sent.
 * @throws RequestError 400 for missing fields, 401 for the project key.
 * @see section 4.7
 */
export async function suggest(
  core: Core,
  request: SuggestionRequest,
  call: CallOptions = {},
): Promise<Suggestions> {
  const { temperature, maxCharacterLength } = request
  const { min, max } = limits.temperature
  if (temperature !== undefined && !(temperature >= min && temperature <= max)) {
    throw new TypeError(`temperature must be between ${min} and ${max} (received ${temperature})`)
  }
  if (maxCharacterLength !== undefined && !(maxCharacterLength >= 1)) {
    throw new TypeError(`maxCharacterLength must be at least 1 (received ${maxCharacterLength})`)
  }
  const intent = 'suggest a translation'
  const json = {
    sourceText: request.text,
    currentLanguage: request.from,
    destinationLanguage: request.to,
    elementType: request.elementType,
    elementApplicationContext: request.applicationContext,
    elementDetailContext: request.detailContext,
    temperature,
    maxCharacterLength,
  }
  const raw = await operate(core, routes.translationSuggest, { ...call, json, intent })
  // Some instances return only a sentence.
  const content = nonEmptyString(pick(raw, 'content'))
  const list = listIn(pick(raw, 'suggestions') ?? (content && [{ translation: content }]))
  if (!list) throw wrongShape(core, routes.translationSuggest, intent, 'suggestions')
  return {
    suggestions: list.filter(isObject).map((one) => {
      const translation = String(one['translation'] ?? '')
      return {
        translation,
        confidence: one['confidence'] as number | undefined,
        characterCount: (one['characterCount'] as number | undefined) ?? translation.length,
        explanation: nonEmptyString(one['explanation']),
        alternatives: (listIn(one['alternativePhrasings'] ?? []) ?? []) as string[],
      }
    }),
    context: raw['contextAnalysis'] as Suggestions['context'],
    raw,
  }
}
