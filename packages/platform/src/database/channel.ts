import { Client, type ClientConfig } from 'pg'

/** Messages between the instances on one database. */
export interface Channel {
  /** Sends a text of at most 7 kB to every instance, this one too. */
  readonly send: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}

const name = 'servicekit'
/** Longest message that PostgreSQL takes is 8000 bytes. */
const maxBytes = 7000
const pauseMs = 1000

/**
 * Opens a connection that listens. One that breaks is opened again; what was sent
 * meanwhile is lost, which its users, who only save time by it, can bear.
 *
 * @param run runs a statement on any connection.
 * @param onConnect hears that messages come from here on: for the first time, or
 * again after some may have been lost.
 */
export function openChannel(
  config: ClientConfig,
  run: (statement: string, values: readonly string[]) => Promise<unknown>,
  onMessage: (text: string) => void,
  onConnect: () => void,
): Channel {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async (): Promise<void> => {
    const fresh = new Client(config)
    let isBroken = false
    const again = (): void => {
      if (isBroken || isClosed) return
      isBroken = true
      timer = setTimeout(() => void connect(), pauseMs).unref()
    }
    fresh.on('error', again)
    fresh.on('end', again)
    fresh.on('notification', ({ payload }) => onMessage(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${name}`)
      if (isClosed) {
        await fresh.end()
        return
      }
      client = fresh
      onConnect()
    } catch {
      again()
    }
  }
  const connected = connect()

  return {
    send: async (text) => {
      if (Buffer.byteLength(text) > maxBytes) return
      await run('select pg_notify($1, $2)', [name, text])
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await connected
      await client?.end().catch(() => {})
    },
  }
}
