import { expect, it } from 'vitest'
import { BaseError } from './errors.ts'
import { addExplainLine, docsLink, explainLine } from './explain.ts'

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

it('adds the address of the section if a release has a documentation site', () => {
  expect(docsLink('rule-unused')).toBeUndefined()
  expect(explainLine('SAMPLE_FAILED', 'https://docs.example/')).toBe(
    'Run npx servicekit explain SAMPLE_FAILED, or see https://docs.example/guides/troubleshooting.html#sample_failed',
  )
})
