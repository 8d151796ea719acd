import { afterAll } from 'vitest'
import { postgres15Fault, startPostgres15 } from './debian-postgres.ts'
import type { Engine } from './engines.ts'

/**
 * Returns databases of an engine that the programs of this machine can dump: those of Debian are
 * older than the PostgreSQL of the test run.
 */
export function dumpableDatabases(engine: Engine) {
  let server: ReturnType<typeof startPostgres15> | undefined
  let count = 0
  afterAll(async () => (await server)?.stop())
  return {
    /** Returns why there are none on this machine. */
    whyMissing: async (): Promise<string | undefined> =>
      engine.name === 'PGlite' ? undefined : postgres15Fault(),
    /** Returns a new, empty database; `dataDir` is to be chosen if there is no URL. */
    location: async (): Promise<{ readonly databaseUrl?: string }> => {
      if (engine.name === 'PGlite') return {}
      const { execute, databaseUrl } = await (server ??= startPostgres15())
      const name = `dumpable_${++count}`
      await execute(`create database ${name}`)
      return { databaseUrl: databaseUrl.replace(/postgres$/, name) }
    },
  }
}
