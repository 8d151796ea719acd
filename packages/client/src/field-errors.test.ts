import { expect, it } from 'vitest'
import { OperationError, RequestError } from './errors.ts'
import { fieldErrors } from './field-errors.ts'

const operationError = (body: unknown) => new OperationError('no', { status: 200, body })

it.each([
  ['errors', { errors: { email: 'is taken' } }, { email: ['is taken'] }],
  ['PascalCase', { Errors: { Message: 'No key' } }, { Message: ['No key'] }],
  [
    'validationErrors',
    { success: false, validationErrors: { Url: ['is empty', 'is no address'] } },
    { Url: ['is empty', 'is no address'] },
  ],
  [
    'validationErrors beside empty errors',
    { errors: {}, validationErrors: { Url: ['is empty'] }, message: { errors: {} } },
    { Url: ['is empty'] },
  ],
  [
    'detail',
    {
      detail: [
        { loc: ['body', 'answer'], msg: 'is missing', type: 'missing' },
        { loc: ['body', 'items', 0], msg: 'is odd', type: 'x' },
        { loc: ['body', 'answer'], msg: 'is short', type: 'y' },
      ],
    },
    { answer: ['is missing', 'is short'], 'items.0': ['is odd'] },
  ],
  [
    'message.errors',
    { code: 400, message: { errors: { Language: ['is undefined'] } } },
    { Language: ['is undefined'] },
  ],
  ['nothing', { error: {} }, {}],
  ['a text', 'no', {}],
])('returns the messages by field of %s', (_, body, expected) => {
  expect(fieldErrors(operationError(body))).toEqual(expected)
  expect(fieldErrors(new RequestError('no', { code: 'REQUEST_REFUSED', body }))).toEqual(expected)
})

it('returns nothing for errors that are not from the service', () => {
  for (const error of [undefined, null, 'x', new Error('no')])
    expect(fieldErrors(error)).toEqual({})
})
