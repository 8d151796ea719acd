import type { Answer } from '../http/answer.ts'
import { tooSoon } from '../http/refusals.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { secretAttempt, type TooManyAttempts, tooManyText } from './attempts.ts'

/** Creates the response to a rejected attempt. */
export const tooManyAttempts = (
  refused: TooManyAttempts,
  options: Pick<ResolvedOptions, 'retryAfter'>,
): Answer => tooSoon(tooManyText(refused), refused.retryAfterSeconds, options)

interface Sent {
  readonly services: Services
  readonly project: Project
  readonly sender: string
}

/** Sends a form to the authorization server, and limits attempts with wrong client secrets. */
export async function withSecretLimit<T extends { readonly status: number }>(
  { services, project, sender }: Sent,
  form: URLSearchParams,
  send: (form: URLSearchParams) => Promise<T>,
): Promise<T | TooManyAttempts> {
  if (!form.has('client_secret')) return send(form)
  const { attempts } = await services.identity()
  return attempts.check(
    secretAttempt(project.id, form.get('client_id') ?? '', sender),
    () => send(form),
    ({ status }) => status === 401,
  )
}
