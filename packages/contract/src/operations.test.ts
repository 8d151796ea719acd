import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operations } from './operations.ts'
import * as routes from './routes.ts'

const { projectHeader, ...all } = routes
const camelCase = (id: string): string =>
  id.replace(/\.(\w)/, (_, first: string) => first.toUpperCase())

const headings = (markdown: string): (string | undefined)[] =>
  markdown
    .split('\n')
    .filter((line) => /^#{2,3} \d/.test(line))
    .map((line) => line.split(' ')[1])
const specification = readFileSync(new URL('../../../docs/interface.md', import.meta.url), 'utf8')

describe('the routes', () => {
  it('each have one operation', () => {
    expect(operations.map(({ route }) => route)).toHaveLength(Object.keys(all).length)
    expect(new Set(operations.map(({ route }) => route))).toEqual(new Set(Object.values(all)))
  })

  it('are named after their id', () => {
    for (const [name, { id }] of Object.entries(all)) expect(name).toBe(camelCase(id))
  })

  it('differ in method and path', () => {
    const places = Object.values(all).map(({ method, path }) => `${method} ${path}`)
    expect(places).toEqual([...new Set(places)])
  })

  it('share the header that docs/interface.md names', () => {
    expect(specification).toContain(`\`${projectHeader}\``)
  })
})

const reads = operations.filter(({ route }) => route.method === 'GET')

it.each(reads.map((operation) => [operation.route.id, operation] as const))(
  '%s is a GET: it only reads and has no body',
  (_, { route, body }) => {
    // The callback consumes a one-time code.
    expect(route.effect).toBe(route.id === 'auth.callback' ? 'create' : 'read')
    expect(body).toBeUndefined()
  },
)

describe.each(operations.map((operation) => [operation.route.id, operation] as const))(
  '%s',
  (_, { route, access, responses, section }) => {
    it('has a route that needs a session or token unless anyone may call it', () => {
      // Instances may restrict the schema list, which the interface leaves open.
      const isOpen = access.who === 'anyone' && route.id !== 'data.listSchemas'
      const isSignIn = route.id.startsWith('auth.') && route.id !== 'auth.getSession'
      expect(route.access).toBe(isSignIn ? 'sign-in' : isOpen ? 'key' : undefined)
    })

    it('documents its success', () => {
      expect(responses[200]?.schema).toBeDefined()
    })

    it('is specified in docs/interface.md, under its section', () => {
      expect(headings(specification)).toContain(section)
      expect(specification).toContain(route.path)
    })
  },
)

it('has all sections of the interface in docs/interface.md, in order', () => {
  expect(headings(specification).join(' ')).toBe(
    '1. 2. 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 3. ' +
      '4. 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 5. 6. 7. 8. 9.',
  )
})
