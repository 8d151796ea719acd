import { generate } from '@servicekit/codegen'
import { run } from '@servicekit/testing/scaffold-environment'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerOptions } from './type-checker.mjs'

/**
 * @typedef {object} Tool
 * @property {string} name folder of its tasks
 * @property {string} title
 * @property {string} [versionOf] package whose version is shown
 * @property {readonly string[]} types packages of global types
 * @property {boolean} isForBrowsers
 * @property {(folder: string, source: Source) => Promise<void>} generate runs its generator
 * @property {(folder: string) => Promise<boolean>} [check] returns whether its own checker finds no errors
 *
 * @typedef {object} Source
 * @property {string} listing file with the schemas
 * @property {string} sdl the same as executable schema, of the platform
 * @property {string} databaseUrl of a PostgreSQL with the tables of `supabase/schema.sql`
 */

/** @param {string} folder @param {string} line @param {Record<string, string>} [env] */
async function execute(folder, line, env) {
  const [command = '', ...args] = line.split(' ')
  const { code, output } = await run(command, args, { cwd: folder, ...(env && { env }) })
  if (code !== 0) throw new Error(`"${line}" failed with exit code ${code}\n${output}`)
  return output
}

/** @param {string} folder @param {string} name @param {string} text */
function write(folder, name, text) {
  mkdirSync(join(folder, 'generated'), { recursive: true })
  writeFileSync(join(folder, name), text)
}

/** @type {readonly Tool[]} */
export const tools = [
  {
    name: 'servicekit',
    title: 'Servicekit',
    types: [],
    isForBrowsers: true,
    async generate(folder, { listing }) {
      const outDir = join(folder, 'generated')
      await generate({ listing, outDir, lookups: true, validators: true })
    },
  },
  {
    name: 'prisma',
    title: 'Prisma',
    versionOf: 'prisma',
    types: ['node'],
    isForBrowsers: false,
    async generate(folder) {
      // Not used to generate, but otherwise downloaded from a host other than npm's registry.
      const PRISMA_SCHEMA_ENGINE_BINARY = process.execPath
      await execute(folder, 'npx prisma generate', { PRISMA_SCHEMA_ENGINE_BINARY })
    },
  },
  {
    name: 'supabase',
    title: 'supabase gen types',
    versionOf: '@supabase/postgrest-js',
    types: [],
    isForBrowsers: true,
    // The program that `supabase gen types` runs in a container.
    async generate(folder, { databaseUrl }) {
      const server = 'node_modules/@supabase/postgres-meta/dist/server/server.js'
      const types = await execute(folder, `node ${server}`, {
        // Would be printed together with the types.
        NODE_NO_WARNINGS: '1',
        PG_META_DB_URL: databaseUrl,
        PG_META_GENERATE_TYPES: 'typescript',
        PG_META_GENERATE_TYPES_INCLUDED_SCHEMAS: 'public',
        PG_META_GENERATE_TYPES_DETECT_ONE_TO_ONE_RELATIONSHIPS: 'true',
      })
      write(folder, 'generated/database.ts', types)
    },
  },
  {
    name: 'gql-tada',
    title: 'gql.tada',
    versionOf: 'gql.tada',
    types: [],
    isForBrowsers: true,
    async generate(folder, { sdl }) {
      write(folder, 'generated/schema.graphql', sdl)
      const plugin = {
        name: 'gql.tada/ts-plugin',
        schema: './generated/schema.graphql',
        tadaOutputLocation: './generated/graphql-env.d.ts',
      }
      const config = { compilerOptions: { ...compilerOptions, types: [], plugins: [plugin] } }
      write(folder, 'tsconfig.json', JSON.stringify({ ...config, include: ['*.ts', 'tasks'] }))
      await execute(folder, 'npx gql.tada generate-output')
    },
    check: async (folder) => (await run('npx', ['gql.tada', 'check'], { cwd: folder })).code === 0,
  },
  {
    name: 'genql',
    title: 'genql',
    versionOf: '@genql/cli',
    types: [],
    isForBrowsers: true,
    async generate(folder, { sdl }) {
      write(folder, 'generated/schema.graphql', sdl)
      await execute(folder, 'npx genql --schema generated/schema.graphql --output generated')
    },
  },
]
