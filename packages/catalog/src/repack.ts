/**
 * Packs for an existing build from newer translations, served on demand.
 *
 * `servicekit repack` writes the same packs to a folder. `live/repack.ts` compiles them.
 */
export { type BuildManifest, parseManifest } from './live/build-manifest.ts'
export { repackHandler, type RepackHandlerOptions } from './live/repack-handler.ts'
export type { TenantProject } from './live/tenant.ts'
