import { expect, it } from 'vitest'
import { docsLink, explainLine } from './explain.ts'

it('adds the address of the section if a release has a documentation site', () => {
  expect(docsLink('rule-unused')).toBeUndefined()
  expect(explainLine('SAMPLE_FAILED', 'https://docs.example/')).toBe(
    'Run npx servicekit explain SAMPLE_FAILED, or see https://docs.example/guides/troubleshooting.html#sample_failed',
  )
})
