import { readFileSync } from 'node:fs'
import { buildSchema, execute, parse, validate } from 'graphql'

/**
 * Builds the same schemas from SDL with graphql-js, and runs one query without a data
 * source.
 *
 * @param {{ sdl: string, query: string }} input
 */
export const prepare =
  ({ sdl, query }) =>
  async () => {
    const schema = buildSchema(readFileSync(sdl, 'utf8'), { assumeValidSDL: true })
    const document = parse(query)
    const errors = validate(schema, document)
    if (errors.length > 0) throw errors[0]
    execute({ schema, document })
    return {}
  }
