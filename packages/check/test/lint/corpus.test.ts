import { expect, it } from 'vitest'
import { corpusOptions, corpusProject, lint, readCorpus } from './linter.ts'

const files = readCorpus()

it('finds the problems of the corpus with a precision of 98 % and a recall of 95 %', async () => {
  const root = await corpusProject()
  const expected = files.flatMap(({ path, labels }) =>
    [...labels].flatMap(([line, rule]) => (rule === 'ok' ? [] : [`${path}:${line} ${rule}`])),
  )
  const findings = files.flatMap(({ path, text }) =>
    lint(root, path, text, corpusOptions).map(
      ({ line, ruleId }) => `${path}:${line} ${ruleId!.slice('servicekit/'.length)}`,
    ),
  )
  const found = [...new Set(findings)]
  const wrong = found.filter((one) => !expected.includes(one))
  const missed = expected.filter((one) => !found.includes(one))
  const right = found.length - wrong.length
  const [precision, recall] = [right / found.length, right / expected.length]
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
  process.stdout.write(
    `lint corpus: ${expected.length} problems, precision ${percent(precision)}, recall ${percent(recall)}\n`,
  )
  // The lists are part of the message of a failure.
  expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.98)
  expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
})
