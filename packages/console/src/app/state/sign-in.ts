import { logout, refresh, startSignIn } from '@servicekit/client/auth'
import { createCore, RequestError } from '@servicekit/client/core'
import { callControl } from './control.ts'

const coreOf = (projectKey: string) =>
  createCore({ baseUrl: location.origin, projectKey, retry: { attempts: 1 } })

/** Finds the client with which users of a project sign in to the console. @throws ApiError */
const findClient = (project: string) =>
  callControl('GET /projects/{project}/console-client', { path: { project } })

/** Starts a sign-in. Returns the URL to open. @throws ApiError, RequestError */
export async function beginSignIn(projectKey: string): Promise<string> {
  const client = await findClient(projectKey)
  return (await startSignIn(coreOf(projectKey), client)).url
}

/** Renews the session of the browser. Returns false if it has ended. @throws ApiError */
export async function refreshSession(projectKey: string): Promise<boolean> {
  const { clientId } = await findClient(projectKey)
  try {
    await refresh(coreOf(projectKey), { clientId })
    return true
  } catch (error) {
    if (error instanceof RequestError && error.status !== undefined) return false
    throw error
  }
}

/** Ends the session of the browser. A session that has already ended is not an error. */
export async function signOut(projectKey: string): Promise<void> {
  await logout(coreOf(projectKey)).catch((error: unknown) => {
    if (!(error instanceof RequestError) || error.status !== 400) throw error
  })
}
