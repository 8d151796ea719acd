import type { Bucket } from '../http/rate-limiter.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { replacedHash } from './clients.ts'
import { hashSecret } from '@servicekit/core/node'

/** Ten attempts, then one per minute. */
const guesses = { limit: 10, intervalMs: 60_000 }
/** Slows down guesses that are spread over accounts or addresses. */
const spreadGuesses = { limit: 100, intervalMs: 2000 }

/** Creates a bucket. Its key is a hash, so that no names or addresses are stored. */
const bucket = (rule: Omit<Bucket, 'key'>, ...parts: readonly (string | number)[]): Bucket => ({
  ...rule,
  key: hashSecret(JSON.stringify(parts)),
})

/** Limits guesses of the password of an account, which need not exist. */
export const passwordBuckets = (projectId: number, name: string, sender: string) => {
  const account = name.trim().toLowerCase()
  return [
    bucket(guesses, 'password', projectId, account, sender),
    bucket(spreadGuesses, 'password from', sender),
    bucket(spreadGuesses, 'password of', projectId, account),
  ]
}

export const codeBucket = (projectId: number, userId: string) =>
  bucket(guesses, 'code', projectId, userId)

/** Three mails to an account, which need not exist, then one every 15 minutes. */
export const resetBuckets = (projectId: number, name: string, sender: string) => [
  bucket(guesses, 'reset from', projectId, sender),
  bucket({ limit: 3, intervalMs: 900_000 }, 'reset of', projectId, name.trim().toLowerCase()),
]

export const activationBucket = (projectId: number, sender: string) =>
  bucket(guesses, 'activation', projectId, sender)

/**
 * Sends a form to the authorization server, with the hash of the client secret instead of
 * the secret, because only hashes are stored. Limits guesses of secrets.
 *
 * @throws TooManyRequestsError
 */
export async function limitSecretGuesses<T extends { readonly status: number }>(
  { services, project, sender }: { services: Services; project: Project; sender: string },
  form: URLSearchParams,
  send: (form: URLSearchParams) => Promise<T>,
): Promise<T> {
  const secret = form.get('client_secret')
  if (secret === null) return send(form)
  const hashed = new URLSearchParams(form)
  hashed.set('client_secret', hashSecret(secret))
  const buckets = [
    bucket(guesses, 'secret', project.id, form.get('client_id') ?? '', sender),
    bucket(spreadGuesses, 'secret from', sender),
  ]
  const hasFailed = ({ status }: T) => status === 401
  const sendAny = async (): Promise<T> => {
    const result = await send(hashed)
    if (!hasFailed(result)) return result
    const [clientId, hash] = [form.get('client_id') ?? '', hashSecret(secret)]
    const replaced = await services.database.scoped(project.id, (tables) =>
      replacedHash(tables, clientId, hash, services.options.now()),
    )
    if (replaced === undefined) return result
    hashed.set('client_secret', replaced)
    return send(hashed)
  }
  return services.identity.rateLimiter.takeOnFailure(buckets, sendAny, hasFailed)
}
