import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/** Starts a proxy to a port of this machine whose connections can be delayed and broken. */
export async function startTcpProxy(target: number) {
  let targetPort = target
  const open = new Set<Socket>()
  let latencyMs = 0
  let isRefusing = false
  let isStalled = false
  let released = new AbortController()
  /** Delays chunks, and keeps them while the proxy is stalled. */
  const delayed = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        const pass = (): void => void setTimeout(() => done(null, chunk), latencyMs)
        if (isStalled) released.signal.addEventListener('abort', pass, { once: true })
        else if (latencyMs > 0) pass()
        else done(null, chunk)
      },
    })
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    if (isRefusing) return void socket.resetAndDestroy()
    const target = connect(targetPort, '127.0.0.1')
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        open.delete(one)
        // A peer that is gone tells nobody while the connection is half open.
        if (!isStalled) other.destroy()
      })
      one.pipe(delayed()).pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reset = (): void => {
    for (const socket of open) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    /** Leads new connections to another port. */
    setTarget: (port: number): void => {
      targetPort = port
    },
    /** Delays each chunk in both directions. */
    setLatency: (ms: number): void => {
      latencyMs = ms
    },
    /** Breaks all connections with RST; new ones are accepted. */
    reset,
    /** Breaks all connections with RST and refuses new ones. */
    cut: (): void => {
      isRefusing = true
      reset()
    },
    /** Accepts connections and passes nothing on, as after a peer that lost its network. */
    stall: (): void => {
      isStalled = true
    },
    /** Ends `cut` and `stall`. Connections that were stalled are broken, as by a new peer. */
    restore: (): void => {
      isRefusing = false
      if (!isStalled) return
      isStalled = false
      released.abort()
      released = new AbortController()
      reset()
    },
    close: async (): Promise<void> => {
      isRefusing = true
      reset()
      server.close()
      await once(server, 'close')
    },
  }
}
