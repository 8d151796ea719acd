import { NO_RESPONSE } from '~uilm/shell'
import { ApiError } from '../state/api.ts'

/**
 * Requests a mail with a link to choose a new password, from the page for forgotten passwords. Its
 * response does not tell whether the user may have a password.
 *
 * @throws ApiError
 */
export async function requestReset(projectKey: string, username: string): Promise<void> {
  const url = `/iam/v4/oidc/projects/${encodeURIComponent(projectKey)}/forgot`
  const body = new URLSearchParams({ username })
  const response = await fetch(url, { method: 'POST', body }).catch((cause: unknown) => {
    throw new ApiError(0, NO_RESPONSE(), { cause })
  })
  if (response.ok) return
  // A template, unlike a document of DOMParser, applies no style sheet, which the policy refuses.
  const template = document.createElement('template')
  template.innerHTML = await response.text()
  const reason = template.content.querySelector('[role=alert]')?.textContent.trim()
  throw new ApiError(response.status, reason || response.statusText)
}
