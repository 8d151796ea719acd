import pg from 'pg'
import { type Statement, type StatementResult, wireValue } from './statement.ts'

/** Methods of `pg`'s connection that send messages. */
interface Wire {
  readonly stream: { cork: () => void; uncork: () => void }
  readonly parse: (message: { name: string; text: string }) => void
  readonly bind: (message: { statement: string; values: readonly (string | null)[] }) => void
  readonly describe: (message: { type: 'P'; name: string }) => void
  readonly execute: (message: { portal: string }) => void
  readonly close: (message: { type: 'S'; name: string }) => void
  readonly sync: () => void
}

interface Field {
  readonly name: string
  readonly read: (text: string) => unknown
}

interface Prepared {
  readonly name: string
  /** Columns of its rows, once the server has described them. */
  fields: readonly Field[] | undefined
}

/** Statements prepared on one connection, least recently used first. */
interface Known {
  readonly byText: Map<string, Prepared>
  count: number
  /** Names of statements that are no longer used, but may still exist on the server. */
  readonly dropped: string[]
}

/** Maximum number of prepared statements per connection; each uses server memory. */
const kept = 200

const knownBy = new WeakMap<object, Known>()

/**
 * Statements sent to the server in one round trip and run in one transaction, which the
 * first failure rolls back. Each statement is prepared and described once per connection.
 *
 * Implements the query interface of `pg`: `client.query(batch)`.
 */
export class Batch {
  readonly result: Promise<readonly StatementResult[]>
  readonly #statements: readonly Statement[]
  #prepared: Prepared[] = []
  #known: Known | undefined
  #index = 0
  #rows: Record<string, unknown>[] = []
  readonly #results: StatementResult[] = []
  #resolve: (results: readonly StatementResult[]) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(statements: readonly Statement[]) {
    this.#statements = statements
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Called by `pg` when the connection is ready for the batch. */
  submit(connection: object): null {
    const wire = connection as Wire
    const known = knownOf(connection)
    this.#known = known
    wire.stream.cork()
    try {
      for (const name of known.dropped.splice(0)) wire.close({ type: 'S', name })
      for (const { text, values } of this.#statements) {
        const prepared = prepare(wire, known, text)
        this.#prepared.push(prepared)
        wire.bind({ statement: prepared.name, values: values.map(wireValue) })
        if (!prepared.fields) wire.describe({ type: 'P', name: '' })
        wire.execute({ portal: '' })
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }) {
    this.#prepared[this.#index]!.fields = fields.map(({ name, dataTypeID }) => ({
      name,
      read: readerOf(dataTypeID),
    }))
  }

  handleDataRow({ fields: texts }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    const fields = this.#prepared[this.#index]!.fields ?? []
    for (let column = 0; column < fields.length; column++) {
      const text = texts[column] ?? null
      row[fields[column]!.name] = text === null ? null : fields[column]!.read(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    // The server sends no row description for a statement without rows.
    this.#prepared[this.#index]!.fields ??= []
    this.#results.push({ rows: this.#rows, count: Number(/ (\d+)$/.exec(text)?.[1] ?? 0) })
    this.#rows = []
    this.#index++
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#results)
  }

  handleError(error: unknown): void {
    // After an error it is unknown which statements the server has prepared, so prepare
    // all again.
    for (const { text } of this.#statements) drop(this.#known, text)
    this.#reject(error)
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(connection: { sendCopyFail: (message: string) => void }): void {
    connection.sendCopyFail('there is nothing to copy')
  }
  handleCopyData(): void {}
}

function knownOf(connection: object): Known {
  const known = knownBy.get(connection) ?? { byText: new Map(), count: 0, dropped: [] }
  knownBy.set(connection, known)
  return known
}

function prepare(wire: Wire, known: Known, text: string): Prepared {
  const { byText } = known
  const found = byText.get(text)
  if (found) {
    byText.delete(text)
    byText.set(text, found)
    return found
  }
  if (byText.size >= kept) drop(known, byText.keys().next().value!)
  const prepared: Prepared = { name: `batch_${++known.count}`, fields: undefined }
  byText.set(text, prepared)
  wire.parse({ name: prepared.name, text })
  return prepared
}

function drop(known: Known | undefined, text: string): void {
  const prepared = known?.byText.get(text)
  if (!known || !prepared) return
  known.byText.delete(text)
  known.dropped.push(prepared.name)
}

/** Dates and timestamps, which are read as strings, as `Tables` does. */
const instants: ReadonlySet<number> = new Set([
  pg.types.builtins.TIMESTAMPTZ,
  pg.types.builtins.TIMESTAMP,
  pg.types.builtins.DATE,
])

const readerOf = (type: number): Field['read'] =>
  instants.has(type) ? (text) => text : (pg.types.getTypeParser(type, 'text') as Field['read'])
