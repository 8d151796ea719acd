import { and, eq } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import { type Attempts, codeAttempt, type TooManyAttempts } from './attempts.ts'
import { after, lifetimes } from './lifetimes.ts'
import { sendMail } from './mails.ts'
import { hashSecret, isSameText } from './secrets.ts'
import { oidcStates } from './tables.ts'
import { updateUser } from './users.ts'

/** What asking for a second factor needs. */
export interface SecondFactorParts {
  readonly database: Database
  readonly project: Project
  readonly options: ResolvedOptions
  readonly attempts: Attempts
}

/** Who has to prove more than a password, and where the code goes. */
export interface Challenged {
  readonly userId: string
  /** The name that was given with the password. */
  readonly name: string
  readonly recipient: string
}

/** What came of a code. */
export type CodeChecked =
  | { readonly userId: string; readonly name: string }
  | TooManyAttempts
  /** With `isOver` no further code will do: the sign-in begins anew. */
  | { readonly fault: string; readonly isOver: boolean }

interface Challenge {
  readonly userId: string
  readonly name: string
  readonly codeHash: string
  readonly attempts: number
}

const kind = 'SecondFactor'
const digits = 6
const maxAttempts = 5

/** Sends a code that the sign-in of this id asks for; an older one is good no more. */
export async function sendCode(
  { database, project, options }: SecondFactorParts,
  signInId: string,
  { userId, name, recipient }: Challenged,
): Promise<void> {
  const number = options.randomBytes(6).readUIntBE(0, 6) % 10 ** digits
  const code = String(number).padStart(digits, '0')
  const payload: Challenge = { userId, name, codeHash: hashOf(signInId, code), attempts: 0 }
  const values = {
    payload: { ...payload },
    // Whatever ends the user's sessions ends this too.
    accountId: userId,
    expiresAt: after(options.now(), lifetimes.flow),
  }
  await database.scoped(project.id, async (tables) => {
    await tables
      .insert(oidcStates)
      .values({ projectId: project.id, kind, hash: hashSecret(signInId), ...values })
      .onConflictDoUpdate({
        target: [oidcStates.projectId, oidcStates.kind, oidcStates.hash],
        set: values,
      })
    const mail = {
      recipient,
      purpose: 'SecondFactor',
      subject: `Your code for ${project.name}`,
      body: `${code} is your code to sign in to ${project.name}.\n`,
      code,
    }
    await sendMail(tables, project.id, mail, options)
  })
}

/** Checks a code. It serves once, and so many wrong ones end the sign-in. */
export async function checkCode(
  { database, project, options, attempts: guesses }: SecondFactorParts,
  signInId: string,
  code: string,
): Promise<CodeChecked> {
  const isOwn = and(eq(oidcStates.kind, kind), eq(oidcStates.hash, hashSecret(signInId)))
  const [begun] = await database.scoped(project.id, (tables) =>
    tables.select().from(oidcStates).where(isOwn),
  )
  const over = { fault: 'The code is too old. Sign in again.', isOver: true }
  if (!begun) return over
  // A new sign-in would give further guesses: they are counted of the user.
  const subjects = codeAttempt(project.id, (begun.payload as unknown as Challenge).userId)
  const refused = await guesses.take(subjects)
  if (refused) return refused
  const checked = await database.scoped(project.id, async (tables): Promise<CodeChecked> => {
    const [row] = await tables.select().from(oidcStates).where(isOwn).for('update')
    if (!row || row.expiresAt <= options.now()) return over
    const challenge = row.payload as unknown as Challenge
    const { userId, name } = challenge
    if (isSameText(challenge.codeHash, hashOf(signInId, code.trim()))) {
      await tables.delete(oidcStates).where(isOwn)
      await updateUser(tables, userId, { is_mfa_verified: true })
      return { userId, name }
    }
    const attempts = challenge.attempts + 1
    if (attempts >= maxAttempts) {
      await tables.delete(oidcStates).where(isOwn)
      return { fault: 'Too many wrong codes. Sign in again.', isOver: true }
    }
    const payload = { ...challenge, attempts }
    await tables.update(oidcStates).set({ payload }).where(isOwn)
    return { fault: 'The code is wrong.', isOver: false }
  })
  if ('userId' in checked) await guesses.forgive(subjects)
  return checked
}

/** A code alone is soon guessed; the id of the sign-in is not. */
const hashOf = (signInId: string, code: string): string => hashSecret(`${signInId} ${code}`)
