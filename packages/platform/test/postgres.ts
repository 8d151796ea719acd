// Tests of other packages start a server of their own with it as well.
export { type PostgresServer, startPostgres } from '@servicekit/workspace/postgres'
