import { type MessageModel, type Model, pseudoKindOf, tagsOf } from '@servicekit/catalog'
import { z } from 'zod'

/** Facts about a message that every tool describes in the same way. */
export const messageShape = {
  module: z.string(),
  key: z.string().describe('Key; of a plural the common part of its keys'),
  name: z.string().describe('Name of the function in ~uilm/<module>'),
  parameters: z.array(z.string()).describe('Arguments of the function, without tags'),
  tags: z.array(z.string()).describe('Elements that are arguments too'),
  plural: z.boolean(),
}

/** Returns the facts about a message. */
export const describeMessage = (module: string, message: MessageModel) => ({
  module,
  key: message.key,
  name: message.name,
  parameters: [...(message.plural ? ['count'] : []), ...message.params],
  tags: [...tagsOf(message).keys()],
  plural: message.plural,
})

/** Returns the language codes of a model, without pseudo-locales. */
export const languagesOf = ({ catalog, options }: Model): readonly string[] =>
  catalog.languages
    .map(({ code }) => code)
    .filter((code) => pseudoKindOf(code, options.pseudo) === undefined)

/** Returns the keys of a message: its plural forms, and the key without a form. */
export const keysOfMessage = ({ key, group }: MessageModel): readonly string[] =>
  group.plural
    ? [...(group.base === undefined ? [] : [group.base]), ...group.plural.values()]
    : [key]

/** Limit of a list in a result. */
export const limitOf = (standard: number, max: number) =>
  z.int().min(1).max(max).default(standard).describe('Maximum number of results')
