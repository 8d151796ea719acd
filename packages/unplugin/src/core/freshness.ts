import { stat } from 'node:fs/promises'
import type { Workshop } from './workshop.ts'

/**
 * Returns a function that reloads the snapshot if its lock file has changed since the
 * last call. Bundlers call it before each build in watch mode.
 */
export function createFreshness(workshop: Workshop): () => Promise<void> {
  let seen: number | undefined
  return async () => {
    const { project, session } = await workshop.open()
    const now = await stat(project.options.lockFile).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    if (seen !== undefined && now !== seen) await session.reload()
    seen = now
  }
}
