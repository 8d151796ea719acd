/**
 * All benches by name, in the order in which they run. Each is imported, together with its
 * peers, when it runs.
 *
 * @type {Readonly<Record<string, () => Promise<import('../lib/claim.mjs').Bench>>>}
 */
export const benches = {
  compile: async () => (await import('./compile.mjs')).bench,
  'compile-edit': async () => (await import('./compile-edit.mjs')).bench,
  pull: async () => (await import('./pull.mjs')).bench,
  repack: async () => (await import('./repack.mjs')).bench,
  check: async () => (await import('./check.mjs')).bench,
  'message-call': async () => (await import('./message-call.mjs')).bench,
  'first-load': async () => (await import('./first-load.mjs')).bench,
  'first-load-bundlers': async () => (await import('./first-load-bundlers.mjs')).bench,
  'dev-load': async () => (await import('./dev-load.mjs')).bench,
  'dev-edit': async () => (await import('./dev-edit.mjs')).bench,
  'remote-edit': async () => (await import('./remote-edit.mjs')).bench,
  generate: async () => (await import('./generate.mjs')).bench,
  typecheck: async () => (await import('./typecheck.mjs')).bench,
  'typecheck-keys': async () => (await import('./typecheck-keys.mjs')).bench,
  completion: async () => (await import('./completion.mjs')).bench,
  'client-request': async () => (await import('./client-request.mjs')).bench,
  'client-webhook': async () => (await import('./client-webhook.mjs')).bench,
  'platform-start': async () => (await import('./platform-start.mjs')).bench,
  'platform-schemas': async () => (await import('./platform-schemas.mjs')).bench,
  'platform-throughput': async () => (await import('./platform-throughput.mjs')).bench,
  setup: async () => (await import('./setup.mjs')).bench,
  'setup-next': async () => (await import('./setup.mjs')).nextBench,
  cldr: async () => (await import('./cldr.mjs')).bench,
}
