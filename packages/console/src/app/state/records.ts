/** Records of the control operations, by the names that the pages use. */
import type {
  assignments,
  comments,
  console as people,
  identity,
  jobs,
  marks,
  states,
  tasks,
  translations,
  webhook,
} from '@servicekit/contract/control'

export type ConsoleRoleGrant = identity.ConsoleRoleGrant
export type LanguageRecord = translations.LanguageRecord
export type ModuleRecord = translations.ModuleRecord
export type KeyRecord = translations.KeyRecord
export type DraftRecord = translations.Draft
export type TextChangeRecord = translations.TextChange
export type StateChange = states.StateChange
export type PublishSelection = translations.PublishSelection
export type WithheldDraft = states.WithheldDraft
export type CommentRecord = comments.CommentRecord
export type AssignmentRecord = assignments.AssignmentRecord
export type Person = people.Person
export type MarkKind = marks.MarkKind
export type MessageMark = marks.MessageMark
export type TaskKind = tasks.TaskKind
export type TaskRecord = tasks.TaskRecord
export type TaskCounts = Readonly<Record<TaskKind, number>>
export type TranslationJob = jobs.TranslationJob
export type DeliveryRecord = webhook.Delivery
export type DeliveryDetails = webhook.DeliveryDetails
