import type { Access } from '@servicekit/contract'
import { upperFirst } from '@servicekit/core'
import type { Context } from 'hono'
import type { ResolvedOptions } from '../options.ts'
import { isFromThisMachine } from './address.ts'
import type { AppEnv } from './app-env.ts'

const signInWays = {
  session: 'Sign in (GET /iam/v4/idp/initiate) and send the cookies of the session',
  bearer: 'send Authorization: Bearer with a token from POST /iam/v4/oidc/token',
  control: 'send Authorization: Bearer with the control token',
} as const

/** Returns how to authenticate and, on this machine, how to open a development platform. */
export function signInHelp(
  options: ResolvedOptions,
  c: Context<AppEnv>,
  { proofs }: Access,
): string {
  if (proofs.length === 0) return 'Leave the header out, or send a valid token.'
  const ways = proofs.map((proof) => signInWays[proof]).join(', or ')
  const open = 'For development, `servicekit dev --open` lets everyone on this machine in.'
  return `${upperFirst(ways)}.${
    proofs.length === 2 && isFromThisMachine(c, options) ? ` ${open}` : ''
  }`
}
