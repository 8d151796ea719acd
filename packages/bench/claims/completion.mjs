import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareGenerators } from '../lib/generators.mjs'
import { entitiesOf } from '../lib/schemas.mjs'
import { startTsserver } from '../lib/tsserver.mjs'

/**
 * Time until an editor lists the fields in `select` and `where`, of a project with 1,000
 * schemas that imports the module of one: requests to one warm tsserver, each after an edit.
 * The floor is a file of the same project with an interface of the same fields, written by hand. The figure is the 95th percentile.
 */
const edits = 40

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'completion of fields in an editor: 1,000 schemas, after an edit',
  claims: ['select', 'where'].map((place) => ({
    claim: `completion-${place}`,
    figure: 'p95Ms',
    unit: 'ms',
    ours: place,
    peer: `${place} by hand`,
    peerName: 'hand-written interface',
    goal: { maxRatio: 3 },
  })),
  async prepare({ folder }) {
    const root = folder()
    const { schemas, servicekit } = prepareGenerators(root, 1000)
    await servicekit(join(root, 'src/gateway'))
    const schema = entitiesOf(schemas)[500]
    if (schema === undefined) throw new Error('There is no schema')
    const file = schema.schemaName.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
    const fields = schema.fields.map(({ name }) => `  readonly ${name}: string | null`).join('\n')
    const list = `list${schema.querySchema}`
    const ours = `import type { Gateway } from './gateway/gateway.js'
import { ${list} } from './gateway/${file}.js'
declare const gateway: Gateway
`
    const hand = `interface Row {
${fields}
}
interface Where extends Partial<Record<keyof Row, { readonly eq?: string }>> {}
declare const gateway: object
declare function ${list}(gateway: object, options: { select?: readonly (keyof Row)[]; where?: Where }): void
`
    mkdirSync(join(root, 'src'), { recursive: true })
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', types: [] }
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(root, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['src'] }),
    )
    const places = { select: `{ select: ['', ] })`, where: '{ where: {  } })' }
    /** @param {string} name @param {string} head @param {keyof typeof places} place */
    const contender = (name, head, place) => {
      const path = join(root, `src/${name}.ts`)
      const text = `${head}\nvoid ${list}(gateway, ${places[place]}\n`
      writeFileSync(path, text)
      const before = text.slice(0, text.lastIndexOf(place) + place.length)
      const line = before.split('\n').length
      const offset = before.length - before.lastIndexOf('\n') + 4
      return async () => {
        const server = startTsserver(root)
        try {
          server.notify('open', { file: path })
          const at = { file: path, line, offset }
          const times = []
          for (let edit = 0; edit < edits + 5; edit++) {
            const end = text.split('\n').length
            const insertString = `// ${edit}\n`
            const position = { line: end, offset: 1, endLine: end, endOffset: 1 }
            server.notify('change', { file: path, ...position, insertString })
            const startMs = performance.now()
            const { body } = await server.ask('completionInfo', at)
            times.push(performance.now() - startMs)
            const names = body?.entries.map((/** @type {any} */ { name }) => name) ?? []
            if (!names.includes('ItemId')) throw new Error(`${name}: ${names.slice(0, 9)}`)
          }
          const warm = times.slice(5).sort((one, other) => one - other)
          return { p95Ms: warm[Math.floor(warm.length * 0.95)] ?? 0 }
        } finally {
          server.stop()
        }
      }
    }
    return {
      select: contender('select', ours, 'select'),
      'select by hand': contender('select-by-hand', hand, 'select'),
      where: contender('where', ours, 'where'),
      'where by hand': contender('where-by-hand', hand, 'where'),
    }
  },
}
