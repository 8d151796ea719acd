import { Client, type ClientConfig } from 'pg'

/** Publish and subscribe between the instances on one database. */
export interface Channel {
  /**
   * Sends a message to every instance, including this one. Drops messages longer than
   * 7000 bytes.
   */
  readonly send: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}

const name = 'servicekit'
/** The payload limit of PostgreSQL is 8000 bytes. */
const maxBytes = 7000
const pauseMs = 1000

/**
 * Opens a listening connection, and reopens it when it breaks. Messages sent in between
 * are lost, so callers may use them only to react faster.
 *
 * @param run runs a statement on any connection.
 * @param onConnect called when messages start to arrive: initially, and after each
 * reconnect, when some may have been lost.
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
