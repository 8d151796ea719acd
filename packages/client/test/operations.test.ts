import { operations } from '@servicekit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCore } from '../src/index.ts'
import { undiciTransport } from '../src/transport-undici.ts'
import { type ContractServer, contractServer } from './contract-server.ts'
import { operationCases } from './operation-cases.ts'

let server: ContractServer
beforeAll(async () => {
  server = await contractServer()
})
afterAll(() => server?.close())

const coreFor = () =>
  createCore({
    baseUrl: server.url,
    projectKey: 'P1',
    transport: undiciTransport(),
    retry: { attempts: 1 },
  })

describe.each(operations.map((operation) => [operation.route.id, operation] as const))(
  '%s',
  (id, operation) => {
    const one = operationCases[id as keyof typeof operationCases]

    it('sends a request that the contract allows, and reads the documented response', async () => {
      const documented = operation.responses[200]?.schema
      expect(documented?.safeParse(one.answer)).toMatchObject({ success: true })
      server.use(operation, one.answer)
      const result = await one.call(coreFor()).catch((error: unknown) => error)
      expect(server.problems).toEqual([])
      expect({ result }).toMatchObject({ result: one.result })
      expect(server.seen).toHaveLength(1)
    })

    it('fails with an error that names the operation', async () => {
      server.use(operation, undefined, (_, response, stage) => {
        if (stage === 'whole') response.writeHead(403).end('{"message": "Not for you"}')
        return stage === 'whole'
      })
      const error = (await one.call(coreFor()).catch((error: unknown) => error)) as Error
      expect(error).toMatchObject({
        code: 'REQUEST_REFUSED',
        status: 403,
        details: { operation: id, project: 'P1', message: 'Not for you' },
        message: expect.stringMatching(/^Cannot [a-z]/),
      })
    })
  },
)

it('has a case for each operation, and no others', () => {
  expect(Object.keys(operationCases).sort()).toEqual(operations.map(({ route }) => route.id).sort())
})

it('lists the operations with their functions in OPERATIONS.md', async () => {
  const repeated = { read: 'yes', replace: 'yes', create: 'only if it never arrived' }
  const rows = operations.map(({ route, section, extension, summary }) => [
    `${route.method} \`${route.path}\``,
    extension ? '' : section,
    `\`${operationCases[route.id as keyof typeof operationCases].by}\``,
    repeated[route.effect],
    summary,
  ])
  const heads = ['operation', 'section', 'function', 'retried after a failure', 'description']
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((cells) => cells[column]!.length)),
  )
  const table = [heads, widths.map((width) => '-'.repeat(width)), ...rows].map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  )
  const text = `# Operations

Lists every operation of section 4. \`test/operations.test.ts\` writes this page and calls each operation on a server that accepts only what the contract allows; \`test/platform-operations.test.ts\` calls each on the local platform. Operations without a section are not part of the interface, but most instances support them.

${table.join('\n')}
`
  await expect(text).toMatchFileSnapshot('../OPERATIONS.md')
})
