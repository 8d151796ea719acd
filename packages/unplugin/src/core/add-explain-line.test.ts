import { BaseError } from '@servicekit/core'
import { expect, it } from 'vitest'
import { addExplainLine } from './add-explain-line.ts'

class SampleError extends BaseError<'SAMPLE_FAILED'> {}

it('ends the message of an error with the command that explains its code', () => {
  const error = new SampleError('Cannot read it', { code: 'SAMPLE_FAILED' })
  expect(addExplainLine(error)).toBe(error)
  expect(error.message).toBe('Cannot read it\nRun npx servicekit explain SAMPLE_FAILED')
  expect(error.stack).toContain(`${error.message}\n    at `)
})

it('leaves other errors as they are', () => {
  expect(addExplainLine(new TypeError('no code'))).toEqual(new TypeError('no code'))
  expect(addExplainLine('text')).toBe('text')
})
