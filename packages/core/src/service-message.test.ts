import fc from 'fast-check'
import { expect, it } from 'vitest'
import { serviceMessage } from './service-message.ts'

it.each([
  [
    'a refused translation file',
    {
      code: 400,
      message: {
        type: 'ValidationFailed',
        title: 'One or more fields are wrong',
        status: 400,
        errors: { Language: ['is required', 'is too short'], ModuleName: [] },
        traceId: '0af7',
      },
    },
    'One or more fields are wrong: Language: is required is too short; ModuleName',
  ],
  [
    'a rejection before routing',
    { Errors: { Message: 'No such project' }, IsSuccess: false },
    'No such project',
  ],
  [
    'a validation of tools and knowledge base',
    {
      detail: [
        { loc: ['body', 'answers', 0], msg: 'Field required', type: 'missing' },
        { loc: ['path', 'tool_id'], msg: 'Not a UUID', type: 'uuid' },
      ],
    },
    'body.answers.0: Field required; path.tool_id: Not a UUID',
  ],
  ['a detail in words', { detail: 'Not Found' }, 'Not Found'],
  ['a tool', { is_success: false, detail: 'No such tool', error: {} }, 'No such tool'],
  [
    'identity',
    { isSuccess: false, errors: { email: 'is taken', userName: 'is taken' } },
    'email: is taken; userName: is taken',
  ],
  ['identity, nothing said', { isSuccess: false, errors: {} }, undefined],
  [
    'the webhook',
    { success: false, errorMessage: 'Not saved', validationErrors: { url: ['is no address'] } },
    'Not saved: url: is no address',
  ],
  [
    'the webhook, without errors',
    { success: false, errorMessage: 'Not saved', validationErrors: null },
    'Not saved',
  ],
  [
    'OIDC',
    { error: 'invalid_grant', error_description: 'The code was used' },
    'invalid_grant: The code was used',
  ],
  ['OIDC, the code alone', { error: 'invalid_state' }, 'invalid_state'],
  [
    'problem+json',
    { type: 'about:blank', title: 'Broken', status: 500, detail: 'No disk' },
    'Broken: No disk',
  ],
  [
    'problem+json of a validation',
    { title: 'Not valid', status: 400, errors: { Page: ['must be 1 or more'] } },
    'Not valid: Page: must be 1 or more',
  ],
  [
    'GraphQL',
    { errors: [{ message: 'Cannot query', path: ['a', 0] }, { message: 'And that' }] },
    'a.0: Cannot query; And that',
  ],
  [
    'an error that is an object',
    { error: { code: 'E7', reason: { deep: 1 } } },
    'code: E7; reason: {"deep":1}',
  ],
  ['a message', { message: 'Try later' }, 'Try later'],
  [
    'a page of a proxy',
    '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>',
    '502 Bad Gateway',
  ],
  ['a page without a title', '<html><body>no</body></html>', undefined],
  ['plain text', 'upstream connect error', 'upstream connect error'],
  ['nothing', undefined, undefined],
  ['null', null, undefined],
  ['a number', 7, undefined],
  ['an empty object', {}, undefined],
  ['white space', '  \n', undefined],
])('reads %s', (_, body, expected) => {
  expect(serviceMessage(body)).toBe(expected)
})

it('returns a string or undefined for any value', () => {
  const names = [
    'message',
    'Errors',
    'errors',
    'detail',
    'title',
    'error',
    'errorMessage',
    'Message',
    'loc',
    'msg',
    'path',
  ]
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 4 }),
  })).any
  fc.assert(
    fc.property(value, (body) => {
      const said = serviceMessage(body)
      expect(said === undefined || said.trim() !== '').toBe(true)
      expect(said ?? '').not.toContain('[object')
    }),
  )
})
