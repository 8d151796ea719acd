import { HTTPException } from 'hono/http-exception'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'

export const httpError = (
  status: 400 | 401 | 403 | 404 | 409 | 502,
  message: string,
): HTTPException => new HTTPException(status, { message })

/** Responds with 404 if a resource does not exist. @throws HTTPException */
export function requireFound(isFound: boolean, noun: string): asserts isFound {
  if (!isFound) throw httpError(404, `There is no such ${noun}.`)
}

/** Returns the project with a key. @throws HTTPException 404 */
export async function findProject({ projects }: Services, key: string): Promise<Project> {
  const project = await projects.find(key)
  if (!project) throw httpError(404, `There is no project ${key}.`)
  return project
}
