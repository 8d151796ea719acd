import { type MessageModel, type Model, tagsOf } from '@servicekit/catalog'
import { markupSpecifier } from './ids.ts'

/** Returns true for a message with tags that React renders as one node. */
export const isReactNode = (message: MessageModel, { options }: Pick<Model, 'options'>): boolean =>
  options.markup?.framework === 'react' && tagsOf(message).size > 0

/** Returns the code that exports the function of a message. */
export const messageExport = (
  message: MessageModel,
  model: Pick<Model, 'options'>,
  expression: string,
): string =>
  isReactNode(message, model)
    ? `import { markup } from '${markupSpecifier}'
export const message = /* @__PURE__ */ markup(${expression})
`
    : `export const message = ${expression}
`
