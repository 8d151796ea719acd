import { isObject } from '@servicekit/core'
import type {
  GenerateUilmFilesEvent,
  TranslateAllEvent,
  UilmImportEvent,
} from '@servicekit/contract'
import { type Json, textOf } from './operate.ts'

/** Events, keyed by the top-level property of their body (section 6). */
export interface WebhookEvents {
  /** An auto-translation job ended; `Response` is false if it failed. */
  readonly TranslateAllEvent: Readonly<TranslateAllEvent>
  /** Translation files were published and can be pulled again. */
  readonly GenerateUilmFilesEvent: Readonly<GenerateUilmFilesEvent>
  /** Translations were imported. */
  readonly UilmImportEvent: Readonly<UilmImportEvent>
}

/** Handlers by event. An event without a handler is acknowledged and dropped. */
export type WebhookHandlers = {
  readonly [Name in keyof WebhookEvents]?: (event: WebhookEvents[Name]) => void | Promise<void>
} & {
  /** Handles events that this version does not know. */
  readonly other?: (event: Readonly<Record<string, unknown>>) => void | Promise<void>
}

/** Parsed event: name of its handler, body and deduplication id. */
export interface ReadEvent {
  readonly name: keyof WebhookHandlers
  readonly body: Json
  /** Deduplication id; undefined if the body has none. */
  readonly id: string | undefined
}

const names: readonly (keyof WebhookEvents)[] = [
  'TranslateAllEvent',
  'GenerateUilmFilesEvent',
  'UilmImportEvent',
]

/** Parses an event by its top-level property. Returns undefined for other bodies. */
export function readEvent(body: unknown): ReadEvent | undefined {
  if (!isObject(body)) return undefined
  const name = names.find((one) => isObject(body[one]))
  const inside = (name && body[name]) as Json | undefined
  const id = inside && (textOf(inside['MessageCoRelationId']) ?? textOf(inside['Guid']))
  return { name: name ?? 'other', body, id: id && `${name}:${id}` }
}
