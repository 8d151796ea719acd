import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { controlDocument, controlOperations } from './control.ts'
import { operations } from './operations.ts'

it('describes every control operation in a valid OpenAPI document', async () => {
  const document = controlDocument()
  expect(
    await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>),
  ).toEqual({ valid: true })
  for (const { route } of controlOperations) {
    expect(document.paths[route.path]?.[route.method.toLowerCase()]).toMatchObject({
      operationId: route.id,
    })
  }
})

it('lists the operations and who may call them', async () => {
  const lines = controlOperations.map(
    ({ route, access: { who, consoleRoles = [] } }) =>
      `${route.method} ${route.path}: ${[who, ...consoleRoles].join(', ')}\n`,
  )
  await expect(lines.toSorted().join('')).toMatchFileSnapshot('__snapshots__/control.txt')
})

it('gives each operation an id, an address and a rule of its own', () => {
  const addresses = controlOperations.map(({ route }) => `${route.method} ${route.path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
  expect(new Set(controlOperations.map(({ route }) => route.id)).size).toBe(addresses.length)
  const open = controlOperations.filter(({ access }) => !access.proofs.includes('control'))
  expect(open.map(({ route }) => route.id).toSorted()).toEqual([
    'console.findClient',
    'console.readAdministration',
  ])
})

it('is not part of the interface', () => {
  const paths = operations.map(({ route }) => route.path)
  expect(paths.filter((path) => path.startsWith('/_platform'))).toEqual([])
})
