// The runtime of a program is another one on servers, in builds for one language, and in programs
// without a plugin: see `runtimeVariants`.
export * from './page-runtime.js'
