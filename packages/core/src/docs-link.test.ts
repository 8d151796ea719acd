import { expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { addDocsLink, docsLink, docsUrl } from './docs-link.ts'
import { BaseError } from './errors.ts'

class SampleError extends BaseError<'SAMPLE_FAILED'> {}

it('ends the message of an error with the section about its code', () => {
  const error = new SampleError('Cannot read it', { code: 'SAMPLE_FAILED' })
  expect(addDocsLink(error)).toBe(error)
  expect(error.message).toBe(
    `Cannot read it\nSee ${docsUrl}guides/troubleshooting.html#sample_failed`,
  )
  expect(error.stack).toContain(`${error.message}\n    at `)
})

it('leaves other errors as they are', () => {
  expect(addDocsLink(new TypeError('no code'))).toEqual(new TypeError('no code'))
  expect(addDocsLink('text')).toBe('text')
})

it('leads to the homepage of the repository', () => {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  expect(JSON.parse(manifest).homepage).toBe(docsUrl)
  expect(docsLink('rule-unused')).toMatch(/#rule-unused$/)
})
