import { stat } from 'node:fs/promises'
import type { Workshop } from './workshop.ts'

/**
 * Reads the snapshot again when its lock has changed since the last look: what a
 * bundler does before each build while it watches.
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
