import { isObject } from '@servicekit/core'
import type {
  GenerateUilmFilesEvent,
  TranslateAllEvent,
  UilmImportEvent,
} from '@servicekit/contract'
import { type Json, nonEmptyString } from './operate.ts'

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

/**
 * Parses the events of a body: one for each top-level property that names an event, also of
 * several bodies in a list. Returns undefined for a body that is no event.
 */
export function readEvents(body: unknown): readonly ReadEvent[] | undefined {
  const bodies: unknown[] = Array.isArray(body) ? body : [body]
  return bodies.length > 0 && bodies.every(isObject) ? bodies.flatMap(eventsIn) : undefined
}

function eventsIn(body: Json): readonly ReadEvent[] {
  const known = names.filter((name) => isObject(body[name])).map((name) => readEvent(name, body))
  const isOther = (name: string): boolean =>
    name.endsWith('Event') && !known.some((one) => one.name === name)
  const hasOther = known.length === 0 || Object.keys(body).some(isOther)
  return hasOther ? [...known, { name: 'other', body, id: undefined }] : known
}

function readEvent(name: keyof WebhookEvents, body: Json): ReadEvent {
  const inside = body[name] as Json
  const id = nonEmptyString(inside['MessageCoRelationId']) ?? nonEmptyString(inside['Guid'])
  return { name, body, id: id && `${name}:${id}` }
}
