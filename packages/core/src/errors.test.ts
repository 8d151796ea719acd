import { expect, it } from 'vitest'
import { BaseError, formatErrorMessage, reasonOf } from './errors.ts'

class SampleError extends BaseError<'SAMPLE'> {}

it('has what failed in the first line, then the details, then how to fix it', () => {
  const cause = new Error('refused')
  const error = new SampleError('Cannot list the schemas', {
    code: 'SAMPLE',
    details: { status: 404, project: undefined },
    help: 'Check the project key.',
    cause,
  })
  expect(error.message).toBe('Cannot list the schemas\n  status: 404\nCheck the project key.')
  expect(error).toMatchObject({
    name: 'SampleError',
    code: 'SAMPLE',
    cause,
    details: { status: 404 },
  })
})

it('has no cause if none is given', () => {
  expect('cause' in new SampleError('failed', { code: 'SAMPLE' })).toBe(false)
})

it('keeps what a service sent from forging lines or escape sequences', () => {
  expect(
    formatErrorMessage('a\nb', { details: { name: 'x\u001b[2J\ny\u202e' }, help: '\u009b' }),
  ).toBe('a b\n  name: x\\u001b[2J y\\u202e\n\\u009b')
})

it('truncates long details', () => {
  expect(formatErrorMessage('a', { details: { name: 'x'.repeat(1000) } })).toHaveLength(610)
})

it('gives the reason of anything thrown, in one line', () => {
  expect(reasonOf(new TypeError('fetch failed', { cause: new Error('refused\nat x') }))).toBe(
    'fetch failed: refused',
  )
  expect(reasonOf('text')).toBe('text')
})
