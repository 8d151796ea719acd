import { createPlatform } from '@servicekit/platform'
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'

/**
 * Returns the executable schema that the platform has for a project.
 *
 * @param {string} project folder
 */
export async function readSdl(project) {
  const platform = await createPlatform({ projects: [project], openProjects: true })
  try {
    const response = await platform.fetch(
      new Request('http://platform.local/data/v4/gateway', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-key': 'side-by-side' },
        body: JSON.stringify({ query: getIntrospectionQuery() }),
      }),
    )
    const { data, errors } = /** @type {any} */ (await response.json())
    if (errors) throw new Error(JSON.stringify(errors))
    return printSchema(buildClientSchema(data))
  } finally {
    await platform.close()
  }
}
