// Runtime of the messages: `~uilm`. Bundlers remove unused exports.
export * from './changes.js'
export * from './detect-language.js'
export * from './languages.js'
export * from './localizer.js'
export * from './messages.js'
export * from './time-zone.js'
