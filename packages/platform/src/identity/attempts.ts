import type { Bucket } from '../http/rate-limiter.ts'
import { scopesOf } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { currentHash } from './clients.ts'
import { hashSecret } from '../secrets.ts'

/** Ten attempts, then one per minute. */
const guesses = { limit: 10, intervalMs: 60_000 }
/** Slows down guesses that are spread over accounts or addresses. */
const spreadGuesses = { limit: 100, intervalMs: 2000 }

/**
 * Account whose guesses are counted: the id of a user, whichever name was entered, or a name that
 * nobody has.
 */
export type AccountKey = { readonly userId: string } | { readonly unknownName: string }

/** Creates a bucket. Its key is a hash, so that no names or addresses are stored. */
const bucket = (
  rule: Omit<Bucket, 'key'>,
  ...parts: readonly (string | number | AccountKey)[]
): Bucket => ({
  ...rule,
  key: hashSecret(JSON.stringify(parts)),
})

/** Limits guesses of the password of an account. */
export const passwordBuckets = (projectId: number, account: AccountKey, sender: string) => [
  bucket(guesses, 'password', projectId, account, sender),
  bucket(spreadGuesses, 'password from', sender),
  bucket(spreadGuesses, 'password of', projectId, account),
]

export const codeBucket = (projectId: number, userId: string) =>
  bucket(guesses, 'code', projectId, userId)

/** Three mails to an account, then one every 15 minutes. */
export const resetBuckets = (projectId: number, account: AccountKey, sender: string) => [
  bucket(guesses, 'reset from', projectId, sender),
  bucket({ limit: 3, intervalMs: 900_000 }, 'reset of', projectId, account),
]

export const activationBucket = (projectId: number, sender: string) =>
  bucket(guesses, 'activation', projectId, sender)

/**
 * Sends a form to the authorization server, with the hash of the client secret instead of
 * the secret, because only hashes are stored. Limits guesses of secrets.
 *
 * @throws TooManyRequestsError
 */
export async function limitSecretGuesses<T>(
  { services, project, sender }: { services: Services; project: Project; sender: string },
  form: URLSearchParams,
  send: (form: URLSearchParams) => Promise<T>,
): Promise<T> {
  const secret = form.get('client_secret')
  if (secret === null) return send(form)
  const clientId = form.get('client_id') ?? ''
  const buckets = [
    bucket(guesses, 'secret', project.id, clientId, sender),
    bucket(spreadGuesses, 'secret from', sender),
  ]
  const hash = hashSecret(secret)
  const { transaction } = scopesOf(services.database, project.id)
  const current = await services.identity.rateLimiter.guess(buckets, transaction, (tables) =>
    currentHash(tables, clientId, hash, services.options.now()),
  )
  const hashed = new URLSearchParams(form)
  hashed.set('client_secret', current ?? hash)
  return send(hashed)
}
