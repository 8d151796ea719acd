import { openProject } from '@servicekit/catalog'
import { check, finish } from '@servicekit/check'

/**
 * Runs everything that `servicekit check` does, on committed translations, their
 * declarations and the code of an application.
 *
 * @param {{ root: string }} input
 */
export const prepare =
  ({ root }) =>
  async () => {
    const project = openProject({ root }, { environment: {} })
    const { files, usages, counts } = await finish(check({ project, sources: ['src'] }))
    return { files, usages, unused: counts.unused ?? 0, unknown: counts.unknown ?? 0 }
  }
