import type {
  GenerateUilmFilesEvent,
  TranslateAllEvent,
  UilmImportEvent,
} from '@servicekit/contract'
import { isObject, type Json, textOf } from './shapes.ts'

/** Events by the name of their body's first member (section 6). */
export interface WebhookEvents {
  /** An auto-translation job ended; `Response` is false for one that failed. */
  readonly TranslateAllEvent: Readonly<TranslateAllEvent>
  /** Translation files were published: the moment to pull them again. */
  readonly GenerateUilmFilesEvent: Readonly<GenerateUilmFilesEvent>
  /** Texts were imported. */
  readonly UilmImportEvent: Readonly<UilmImportEvent>
}

/** What to do for which event. An event without a handler is acknowledged and dropped. */
export type WebhookHandlers = {
  readonly [Name in keyof WebhookEvents]?: (event: WebhookEvents[Name]) => void | Promise<void>
} & {
  /** An event that this version does not know. */
  readonly other?: (event: Readonly<Record<string, unknown>>) => void | Promise<void>
}

/** An event that was read: the handler's name, and what tells it from others. */
export interface ReadEvent {
  readonly name: keyof WebhookHandlers
  readonly body: Json
  /** Undefined where the body has none. */
  readonly id: string | undefined
}

const names: readonly (keyof WebhookEvents)[] = [
  'TranslateAllEvent',
  'GenerateUilmFilesEvent',
  'UilmImportEvent',
]

/** Reads an event by its top-level property; undefined for what is no event. */
export function readEvent(body: unknown): ReadEvent | undefined {
  if (!isObject(body)) return undefined
  const name = names.find((one) => isObject(body[one]))
  const inside = (name && body[name]) as Json | undefined
  const id = inside && (textOf(inside['MessageCoRelationId']) ?? textOf(inside['Guid']))
  return { name: name ?? 'other', body, id: id && `${name}:${id}` }
}
