import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { withPostgres } from './with-postgres.mjs'

const variable = 'SERVICEKIT_TEST_POSTGRES'

/** @param {string} databaseUrl */
const isListening = async (databaseUrl) => {
  const { hostname, port } = new URL(databaseUrl)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

it('serves PostgreSQL while a function runs, also one that fails', async () => {
  const before = process.env[variable]
  let databaseUrl = ''
  const run = withPostgres(async () => {
    databaseUrl = process.env[variable] ?? ''
    expect(await isListening(databaseUrl)).toBe(true)
    throw new Error('stop')
  })
  await expect(run).rejects.toThrow('stop')
  expect(await isListening(databaseUrl)).toBe(false)
  expect(process.env[variable]).toBeUndefined()
  if (before !== undefined) process.env[variable] = before
})
