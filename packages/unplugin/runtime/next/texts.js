/** Returns the messages of `?uilm-keys` modules, each once. */
export const listMessages = (sources) => new Set(sources.flatMap((source) => source(new Set())))

/** Returns the texts of messages in a language, by id. */
export const textsOf = (messages, language) =>
  Object.fromEntries(messages.map(({ id, texts }) => [id, texts[language]]))
