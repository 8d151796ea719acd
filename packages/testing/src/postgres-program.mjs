/** Starts PostgreSQL, prints its address, and stops it when the standard input ends. */
import { startPostgres } from './postgres.mjs'

const { databaseUrl, stop } = await startPostgres()
console.log(databaseUrl)
process.stdin.resume().once('end', async () => {
  await stop()
  process.exit(0)
})
