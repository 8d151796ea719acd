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

    it('is sent as the contract says, and its documented answer is understood', async () => {
      const documented = operation.answers[200]?.schema
      expect(documented?.safeParse(one.answer)).toMatchObject({ success: true })
      server.use(operation, one.answer)
      const result = await one.call(coreFor()).catch((error: unknown) => error)
      expect(server.problems).toEqual([])
      expect({ result }).toMatchObject({ result: one.result })
      expect(server.seen).toHaveLength(1)
    })

    it('is refused with an error that says what was tried', async () => {
      server.use(operation, undefined, (_, response, stage) => {
        if (stage === 'whole') response.writeHead(403).end('{"message": "Not for you"}')
        return stage === 'whole'
      })
      const error = (await one.call(coreFor()).catch((error: unknown) => error)) as Error
      expect(error).toMatchObject({
        code: 'REQUEST_REFUSED',
        status: 403,
        details: { operation: id, project: 'P1', answer: 'Not for you' },
        message: expect.stringMatching(/^Could not [a-z]/),
      })
    })
  },
)

it('has a case for each operation, and none for what is no operation', () => {
  expect(Object.keys(operationCases).sort()).toEqual(operations.map(({ route }) => route.id).sort())
})

it('are in a table, with what sends each of them', async () => {
  const repeated = { read: 'yes', replace: 'yes', create: 'never once it arrived' }
  const rows = operations.map(({ route, summary }) => [
    `${route.method} \`${route.path}\``,
    route.extension ? '' : route.section,
    `\`${operationCases[route.id as keyof typeof operationCases].by}\``,
    repeated[route.effect],
    summary,
  ])
  const heads = ['operation', 'section', 'function', 'sent again after a failure', 'what it does']
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((cells) => cells[column]!.length)),
  )
  const table = [heads, widths.map((width) => '-'.repeat(width)), ...rows].map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  )
  const text = `# Operations

Every operation of section 4, as the contract lists them. \`test/operations.test.ts\` writes this page, calls each against a server that takes only what the contract allows, and \`test/platform-operations.test.ts\` calls each against the local platform. A row without a section is no part of the interface, and answered by most instances.

${table.join('\n')}
`
  await expect(text).toMatchFileSnapshot('../OPERATIONS.md')
})
