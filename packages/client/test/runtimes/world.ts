import type { Client, ClientOptions, Core } from '@servicekit/client'

/** Input from the test process. */
export interface Settings {
  readonly baseUrl: string
  readonly projectKey: string
  /** URL of the control server; see host.ts. */
  readonly controlUrl: string
}

/** Runtime-specific parts. */
export interface Means {
  /** Returns a core that handles cookies as the runtime does. */
  readonly withCookies: (core: Core) => Core
  /** Returns a core that sends a machine token. */
  readonly machine: (options: ClientOptions, world: Pick<World, 'ask'>) => Promise<Core>
  /** Store for the sign-in state; an empty object uses the default of the runtime. */
  readonly store: () => Parameters<Client['auth']['completeSignIn']>[1]
}

/** State shared by all checks. */
export interface World extends Settings {
  readonly means: Means
  /** Requests an action of the control server: sign in, read the inbox, inject a fault. */
  readonly ask: <T = unknown>(what: string, given?: object) => Promise<T>
  /** Operations that succeeded. */
  readonly answered: Set<string>
  /** Attempts of operations, in order. */
  readonly attempts: string[]
  readonly options: (more?: Partial<ClientOptions>) => ClientOptions
  /** Returns a core that records the operations that succeed. */
  readonly noted: (core: Core) => Core
}

export function worldOf(settings: Settings, means: Means): World {
  const answered = new Set<string>()
  const attempts: string[] = []
  const { baseUrl, projectKey, controlUrl } = settings
  return {
    ...settings,
    means,
    answered,
    attempts,
    ask: async <T>(what: string, given: object = {}) => {
      const response = await fetch(`${controlUrl}/${what}`, {
        method: 'POST',
        body: JSON.stringify({ projectKey, ...given }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`the control server could not ${what}: ${text}`)
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
