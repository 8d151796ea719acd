import type { KeyId, Model } from '@servicekit/catalog'

/** Returns the keys of a message: all forms of a plural. */
export function keysOfMessage({ modules }: Model, { module, key }: KeyId): readonly KeyId[] {
  const messages = modules.find(({ name }) => name === module)?.messages
  const group = messages?.find((message) => message.key === key)?.group
  const forms = group?.plural?.values() ?? [key]
  const keys = group?.base === undefined ? [...forms] : [group.base, ...forms]
  return keys.map((one) => ({ module, key: one }))
}
