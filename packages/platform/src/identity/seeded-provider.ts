import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Randomness } from '../common/seeded.ts'

type Bytes = Randomness['bytes']

/** What the library makes of a kind of state; its constructors tell new ones from stored ones. */
interface Model {
  readonly prototype: object
  new (...parts: never[]): object
}

/** Models whose ids are their tokens. */
const kinds = [
  'AccessToken',
  'AuthorizationCode',
  'ClientCredentials',
  'Grant',
  'RefreshToken',
  'Session',
] as const

/**
 * Makes an authorization server take its ids and secrets from a seed. The library
 * has no option for where they come from, so the places that make one are
 * replaced, in this server alone. Only for platforms with a seed.
 */
export function seedProvider(provider: Provider, bytes: Bytes): void {
  const makeId = (): string => bytes(32).toString('base64url')
  for (const kind of kinds) {
    const prototype = (provider[kind] as unknown as Model).prototype as {
      generateTokenId: () => string
    }
    const original = prototype.generateTokenId
    prototype.generateTokenId = function generateTokenId(this: object) {
      // It also settles in which format the token is kept.
      original.call(this as typeof prototype)
      return makeId()
    }
  }
  seedSessions(provider, makeId)
  seedInteractions(provider, makeId)
}

interface SessionState {
  uid?: string
  jti?: string
  oldId?: string | undefined
  touched?: boolean
  state?: Readonly<Record<string, unknown>> | undefined
}

/** A session makes its ids when it is made, and a new one at each sign-in. */
function seedSessions(provider: Provider, makeId: () => string): void {
  const Session = provider.Session as unknown as Model & {
    instantiate: (payload?: SessionState) => SessionState
  }
  Session.instantiate = (payload) => {
    const own = { uid: payload?.uid ?? makeId(), jti: payload?.jti ?? makeId() }
    // Without a payload the library takes it for new, which must stay.
    const session = new Session(...((payload ? [payload] : []) as never[])) as SessionState
    seedForms(session, makeId)
    return Object.assign(session, own)
  }
  Object.assign(Session.prototype, {
    resetIdentifier(this: SessionState) {
      this.oldId = this.jti
      this.jti = makeId()
      this.touched = true
    },
  })
}

/** What a form has to send back is set as the state of the session that it is shown to. */
function seedForms(session: SessionState, makeId: () => string): void {
  let { state } = session
  Object.defineProperty(session, 'state', {
    get: () => state,
    set: (value: SessionState['state']) => {
      state = value && 'secret' in value ? { ...value, secret: makeId() } : value
    },
    enumerable: true,
    configurable: true,
  })
}

/** The ids that the library gave sign-ins, by those that took their place. */
const given = new WeakMap<object, string>()

/** A sign-in's id is made before the sign-in: it is replaced there, and in the cookies. */
function seedInteractions(provider: Provider, makeId: () => string): void {
  const Interaction = provider.Interaction as unknown as new (
    id: string | object,
    payload?: { returnTo: string },
  ) => object
  class Seeded extends Interaction {
    constructor(id: string | object, payload?: { returnTo: string }) {
      if (payload === undefined || typeof id !== 'string') {
        super(id, payload)
        return
      }
      const own = makeId()
      super(own, { ...payload, returnTo: payload.returnTo.replace(id, own) })
      given.set(this, id)
    }
  }
  // Kinds are told apart by the name of their class.
  Object.defineProperty(Seeded, 'name', { value: 'Interaction' })
  Object.defineProperty(provider, 'Interaction', { value: Seeded })
}

/** Lets the cookies of a sign-in that begins hold the id that it has now. */
export function seedCookies(context: KoaContextWithOIDC, interaction: { uid: string }): void {
  const id = given.get(interaction)
  if (id === undefined) return
  const { cookies } = context
  const set = cookies.set.bind(cookies)
  cookies.set = (name, value, options) =>
    set(name, value?.replace(id, interaction.uid), {
      ...options,
      ...(options?.path ? { path: options.path.replace(id, interaction.uid) } : {}),
    })
}
