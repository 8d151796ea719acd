import { openProject } from '@servicekit/catalog'

/**
 * Pulls every file of a project over HTTP from a platform on this machine to the snapshot.
 *
 * @param {{ root: string, baseUrl: string, projectKey: string, again: boolean }} input
 */
export async function prepare({ again, ...options }) {
  const project = openProject(options, { environment: {} })
  // The second pull requests every file by its ETag, and none has changed.
  if (again) await project.pull()
  return async () => {
    const { files, unchanged, written } = await project.pull()
    return { files, unchanged, written }
  }
}
