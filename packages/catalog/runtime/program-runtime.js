// Runtime of a program without a plugin.
export * from './observe.js'
export * from './page-runtime.js'
export * from './static-pack.js'
