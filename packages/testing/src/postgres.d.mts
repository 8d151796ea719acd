/** PostgreSQL server in a temporary folder. */
export interface PostgresServer {
  /** Process id of the server. */
  readonly pid: number
  /** Address of the database `postgres`, as its administrator. */
  readonly databaseUrl: string
  /** Runs SQL statements in this database. */
  readonly execute: (sql: string) => Promise<void>
  /** Stops the server and keeps its data, for `resume`. */
  readonly halt: () => Promise<void>
  readonly resume: () => Promise<void>
  /** Stops the server and removes its data. */
  readonly stop: () => Promise<void>
}

/**
 * Starts PostgreSQL in a temporary folder, on a free port of the loopback interface.
 *
 * @throws {Error} when it does not start; the message contains its log
 */
export declare const startPostgres: () => Promise<PostgresServer>
/**
 * Requires that other users can reach a folder: as root, PostgreSQL runs as another user.
 *
 * @throws {Error} that names the folder which is closed to them, and how to open it
 */
export declare const requireReachable: (folder: string) => void
