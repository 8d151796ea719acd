import { Duplex } from 'node:stream'

/** Transport of a socket: the thread that runs PGlite. */
export interface WireEngine {
  /** Sends one batch and resolves with the complete response of the engine. */
  readonly exchange: (batch: Uint8Array) => Promise<Uint8Array>
}

const SYNC = 0x53
const QUERY = 0x51
const FLUSH = 0x48
const COPY_DONE = 0x63
const COPY_FAIL = 0x66
/** Messages after which a PostgreSQL server responds; all others are buffered until then. */
const endsBatch = new Set([SYNC, QUERY, FLUSH, COPY_DONE, COPY_FAIL])
const TERMINATE = 0x58

/**
 * Socket for `pg.Client` that is backed by PGlite. Splits frontend messages into batches,
 * and reads the responses of the engine.
 */
export class PgliteSocket extends Duplex {
  readonly #engine: WireEngine
  #rest: Buffer = Buffer.alloc(0)
  #hasStarted = false

  constructor(engine: WireEngine) {
    super({ decodeStrings: true })
    this.#engine = engine
  }

  /** Called by `pg` with a port and a host, which are ignored. */
  connect(): this {
    setImmediate(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#take([chunk], done)
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: string }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#take(
      chunks.map(({ chunk }) => chunk),
      done,
    )
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null)
    done()
  }

  #take(chunks: readonly Buffer[], done: (error?: Error | null) => void): void {
    const bytes = Buffer.concat([this.#rest, ...chunks])
    const { end, ended } = this.#completeBatch(bytes)
    this.#rest = bytes.subarray(end)
    if (end === 0 || ended) return void done()
    // Copy the batch: it is transferred to the other thread, but the buffers of pg are
    // pooled.
    this.#engine.exchange(new Uint8Array(bytes.subarray(0, end))).then(
      (reply) => {
        if (reply.length > 0) this.push(Buffer.from(reply.buffer, reply.byteOffset, reply.length))
        done()
      },
      (error: Error) => done(error),
    )
  }

  /** Returns the length of all complete batches, and whether they end the session. */
  #completeBatch(bytes: Buffer): { end: number; ended: boolean } {
    let offset = 0
    let end = 0
    while (bytes.length - offset >= 5) {
      // The first message of a session has a length but no type.
      const isStartup = !this.#hasStarted
      const length = isStartup ? bytes.readUInt32BE(offset) : bytes.readUInt32BE(offset + 1) + 1
      if (bytes.length - offset < length) break
      const type = bytes[offset]!
      offset += length
      if (isStartup) this.#hasStarted = true
      if (!isStartup && type === TERMINATE) return { end: offset, ended: true }
      if (isStartup || endsBatch.has(type)) end = offset
    }
    return { end, ended: false }
  }
}
