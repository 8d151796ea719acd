import { openProject } from '@servicekit/catalog'

/**
 * Every file of a project over HTTP from a platform on this machine to the snapshot.
 *
 * @param {{ root: string, baseUrl: string, projectKey: string, again: boolean }} input
 */
export async function prepare({ again, ...options }) {
  const project = openProject(options, { environment: {} })
  // The second time every file is asked for by its ETag and none has changed.
  if (again) await project.pull()
  return async () => {
    const { files, unchanged, written } = await project.pull()
    return { files, unchanged, written }
  }
}
