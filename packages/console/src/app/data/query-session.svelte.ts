import type { Core } from '@servicekit/client/core'
import { execute, type GatewayError } from '@servicekit/client/data'
import { isObject, parseJson } from '@servicekit/core'
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import { VARIABLES_INVALID } from '~uilm/data'
import { ApiError } from '../state/api.ts'
import { createForm } from '../state/form.svelte.ts'
import { toApiError } from '../state/api-error.ts'

/** Query that was run before. */
export interface PastQuery {
  readonly query: string
  readonly variables: string
}

const maxHistory = 20

const firstQuery = `query Lists {
  __schema {
    queryType { fields { name description } }
  }
}
`

/**
 * Creates the state of the query page: the query, its result, and the history of the visit. Call it
 * while a component is initialised.
 */
export function createQuerySession(core: Core) {
  let query = $state(firstQuery)
  let variables = $state('{}')
  let result = $state<string>()
  let errors = $state.raw<readonly GatewayError[]>([])
  let history = $state.raw<readonly PastQuery[]>([])
  let isRunning = $state(false)
  const form = createForm({
    id: 'query',
    read: () => ({ query, variables }),
    write: (values) => ({ query, variables } = values),
    isAlwaysKept: true,
  })
  form.start()

  function remember(past: PastQuery): void {
    const others = history.filter(
      (one) => one.query !== past.query || one.variables !== past.variables,
    )
    history = [past, ...others].slice(0, maxHistory)
  }

  async function send(given: Readonly<Record<string, unknown>>): Promise<void> {
    const response = await execute(core, { query, variables: given, long: 'bigint' })
    if (response.ok) {
      result = printExactJson(response.data, 2)
      return
    }
    const cause = response.errors.find((error) => error.cause !== undefined)?.cause
    if (cause !== undefined) throw toApiError(cause)
    errors = response.errors
    result = printExactJson(response.partial ?? null, 2)
  }

  return {
    get query() {
      return query
    },
    set query(text) {
      query = text
    },
    get variables() {
      return variables
    },
    set variables(text) {
      variables = text
    },
    /** JSON of the data; undefined until a query has run. */
    get result() {
      return result
    },
    get errors() {
      return errors
    },
    /** Queries of this visit, the newest first. */
    get history() {
      return history
    },
    get isRunning() {
      return isRunning
    },
    /** Body of the request. */
    get body() {
      return { query, variables: parseJson(variables, parseExactJson) ?? {} }
    },
    /** Runs the query, unless one is running. @throws ApiError if it has no result. */
    run: async (): Promise<void> => {
      if (isRunning) return
      const given = variables.trim() === '' ? {} : parseJson(variables, parseExactJson)
      if (!isObject(given)) throw new ApiError(-1, VARIABLES_INVALID())
      remember({ query, variables })
      isRunning = true
      errors = []
      result = undefined
      try {
        await send(given)
      } finally {
        isRunning = false
      }
    },
  }
}

export type QuerySession = ReturnType<typeof createQuerySession>
