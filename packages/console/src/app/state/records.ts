/** Records of the control operations, by the names that the pages use. */
import type { identity, jobs, states, translations, webhook } from '@servicekit/contract/control'

export type ConsoleRoleGrant = identity.ConsoleRoleGrant
export type LanguageRecord = translations.LanguageRecord
export type ModuleRecord = translations.ModuleRecord
export type KeyRecord = translations.KeyRecord
export type DraftRecord = translations.Draft
export type TextChangeRecord = translations.TextChange
export type StateChange = states.StateChange
export type WithheldDraft = states.WithheldDraft
export type TranslationJob = jobs.TranslationJob
export type DeliveryRecord = webhook.Delivery
export type DeliveryDetails = webhook.DeliveryDetails
