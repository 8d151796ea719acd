import type { Client, ClientOptions, Core } from '@servicekit/client'

/** What a runtime is told. */
export interface Settings {
  readonly baseUrl: string
  readonly projectKey: string
  /** Where the person is asked who sits in front of the machine, see host.ts. */
  readonly personUrl: string
}

/** What a runtime does in its own way. */
export interface Means {
  /** A core that keeps cookies as the runtime keeps them. */
  readonly withCookies: (core: Core) => Core
  /** A core that sends a machine's token. */
  readonly machine: (options: ClientOptions, world: Pick<World, 'ask'>) => Promise<Core>
  /** Where a sign-in keeps its state; undefined where the runtime has a place for it. */
  readonly store: () => Parameters<Client['auth']['completeSignIn']>[1]
}

/** Everything that the checks share. */
export interface World extends Settings {
  readonly means: Means
  /** Asks the person to do something: sign in, look into the inbox, spoil an answer. */
  readonly ask: <T = unknown>(what: string, given?: object) => Promise<T>
  /** Operations that were answered with success. */
  readonly answered: Set<string>
  /** Attempts of operations, in their order. */
  readonly attempts: string[]
  readonly options: (more?: Partial<ClientOptions>) => ClientOptions
  /** Notes what is answered. */
  readonly noted: (core: Core) => Core
}

export function worldOf(settings: Settings, means: Means): World {
  const answered = new Set<string>()
  const attempts: string[] = []
  const { baseUrl, projectKey, personUrl } = settings
  return {
    ...settings,
    means,
    answered,
    attempts,
    ask: async <T>(what: string, given: object = {}) => {
      const response = await fetch(`${personUrl}/${what}`, {
        method: 'POST',
        body: JSON.stringify({ projectKey, ...given }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`the person could not ${what}: ${text}`)
      return JSON.parse(text) as T
    },
    options: (more = {}) => ({
      baseUrl,
      projectKey,
      hooks: { before: ({ operation }) => void attempts.push(operation) },
      ...more,
    }),
    noted: (core) => ({
      ...core,
      send: async (route, input) => {
        const answer = await core.send(route, input)
        answered.add(route.id)
        return answer
      },
    }),
  }
}
