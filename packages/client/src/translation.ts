import type { translation as contract } from '@servicekit/contract'
import { limits } from '@servicekit/contract/limits'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { isObject, listIn, operate, pick, textOf, wrongShape } from './shapes.ts'

/** What is to be translated. */
export interface SuggestionRequest {
  /** What is to be translated. */
  readonly text: string
  /** Language code of the text, such as `en-US`. */
  readonly from: string
  /** Language code of the translation. */
  readonly to: string
  /** button, label, heading, placeholder, tooltip, error_message … */
  readonly elementType: string
  /** Which application it is for. */
  readonly applicationContext: string
  /** What the element does. */
  readonly detailContext: string
  /** 0 to 1; the service takes 0.7 by default. */
  readonly temperature?: number
  /** Longest translation, in characters. */
  readonly maxCharacterLength?: number
}

/** One translation that was suggested. */
export interface Suggestion {
  /** The text itself. */
  readonly translation: string
  /** 0 to 1; undefined where the instance does not say. */
  readonly confidence: number | undefined
  /** Of the translation. */
  readonly characterCount: number
  /** Why so; undefined where the instance does not say. */
  readonly explanation: string | undefined
  /** Other ways to say it. */
  readonly alternatives: readonly string[]
}

/** What was suggested for a text, and how its context was understood. */
export interface Suggestions {
  /** The best first. */
  readonly suggestions: readonly Suggestion[]
  /** Undefined where the instance does not say. */
  readonly context: contract.Suggestions['contextAnalysis']
  /** The answer as it came. */
  readonly raw: unknown
}

/**
 * Translations that are suggested for a text of the user interface.
 *
 * @throws TypeError for a temperature or length beyond its limits; nothing is sent then.
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
    throw new TypeError(`temperature is from ${min} to ${max}, and not ${temperature}`)
  }
  if (maxCharacterLength !== undefined && !(maxCharacterLength >= 1)) {
    throw new TypeError(`maxCharacterLength is at least 1, and not ${maxCharacterLength}`)
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
  // Some instances answer a sentence alone.
  const content = textOf(pick(raw, 'content'))
  const list = listIn(pick(raw, 'suggestions') ?? (content && [{ translation: content }]))
  if (!list) throw wrongShape(core, routes.translationSuggest, intent, 'suggestions')
  return {
    suggestions: list.filter(isObject).map((one) => {
      const translation = String(one['translation'] ?? '')
      return {
        translation,
        confidence: one['confidence'] as number | undefined,
        characterCount: (one['characterCount'] as number | undefined) ?? translation.length,
        explanation: textOf(one['explanation']),
        alternatives: (listIn(one['alternativePhrasings'] ?? []) ?? []) as string[],
      }
    }),
    context: raw['contextAnalysis'] as Suggestions['context'],
    raw,
  }
}
