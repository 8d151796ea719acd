import { openApiDocument } from '@servicekit/contract'
import { expect, it } from 'vitest'
import { responseChecker } from './responses.ts'
import { type Json, operationsOf } from './generate-request.ts'

const document = JSON.parse(JSON.stringify(openApiDocument())) as Json
const listLanguages = operationsOf(document).find(({ id }) => id === 'localization.listLanguages')!
const check = (body: string, status = 200, type = 'application/json') =>
  responseChecker(document)(
    listLanguages,
    new Response(body, { status, headers: { 'content-type': type } }),
    body,
  )

it('accepts a response that the document describes', () => {
  expect(check('[]')).toBeUndefined()
})

it.each([
  ['a status of the server', () => check('{}', 500), '500: {}'],
  ['a status that is not described', () => check('[]', 418), '418 is not documented'],
  ['another shape', () => check('[{"itemId": 1}]'), '200 in another shape'],
  ['another media type', () => check('[]', 200, 'text/html'), '200 with the type text/html'],
  ['a body that is not JSON', () => check('['), '200 with a body that is not JSON'],
])('rejects %s', (_what, refused, reason) => {
  expect(refused()).toContain(reason)
})
