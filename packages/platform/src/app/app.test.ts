import { operations } from '@servicekit/contract'
import { expect, it } from 'vitest'
import { interfaceOperations } from './app.ts'

it('serves every operation of the contract, once', () => {
  const ids = (list: readonly { route: { id: string } }[]) =>
    list.map(({ route }) => route.id).sort()
  expect(ids(interfaceOperations.map(({ operation }) => operation))).toEqual(ids(operations))
})
