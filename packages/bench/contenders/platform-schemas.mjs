import { createPlatform } from '@servicekit/platform'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { summarise } from '../lib/statistics.mjs'

const origin = 'http://platform.local'
const key = 'schemas'
const edits = 5

/**
 * Runs the first query of a project with many schemas in a process that has just opened its
 * data, and then measures how long changes take to become visible.
 *
 * @param {{ dataDir: string, listing: string, entity: string }} input
 */
export async function prepare({ dataDir, listing, entity }) {
  const platform = await createPlatform({ dataDir })
  const schemas = JSON.parse(readFileSync(listing, 'utf8')).data.items
  const schema = schemas.find((/** @type {any} */ one) => one.schemaName === entity)
  /** @param {string} path @param {unknown} body @param {string} [method] */
  const send = async (path, body, method = 'POST') => {
    const headers = { 'x-service-key': key, 'content-type': 'application/json' }
    const request = new Request(origin + path, { method, headers, body: JSON.stringify(body) })
    const response = await platform.fetch(request)
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${path} responded with ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  /** @param {string} field */
  const query = async (field) => {
    const { data, errors } = await send('/data/v4/gateway', {
      query: `{ ${schema.querySchema} { items { ItemId ${field} } totalCount } }`,
    })
    if (errors || data[schema.querySchema].totalCount !== 0) throw new Error(JSON.stringify(errors))
  }
  const name = schema.fields.at(-1).fields.length > 0 ? 'CreatedDate' : schema.fields.at(-1).name
  // A real server has been up for a moment before its first request.
  await setTimeout(200)
  return {
    work: async () => query(name),
    after: async () => {
      const control = `/_platform/projects/${key}/schemas`
      const times = []
      for (let edit = 0; edit < edits; edit++) {
        const field = { name: `Added${edit}`, type: 'String', isArray: false }
        schema.fields = [...schema.fields, field]
        await send(`${control}/${entity}`, schema, 'PUT')
        const start = performance.now()
        await send(`${control}/publish`, {})
        const published = performance.now()
        await query(field.name)
        times.push({ publish: published - start, shown: performance.now() - published })
      }
      await platform.close()
      return {
        shownMs: summarise(times.map(({ shown }) => shown)).median,
        changeMs: summarise(times.map(({ publish, shown }) => publish + shown)).median,
      }
    },
  }
}
