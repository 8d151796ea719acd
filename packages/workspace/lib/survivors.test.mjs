import { expect, it } from 'vitest'
import { compareSurvivors, survivorsOf } from './survivors.mjs'

const source = 'const a = 1\nif (a > 0) {\n  run()\n}\n'
const at = (
  /** @type {number} */ line,
  /** @type {number} */ column,
  /** @type {number} */ endLine,
  /** @type {number} */ endColumn,
) => ({ start: { line, column }, end: { line: endLine, column: endColumn } })
const mutants = [
  { status: 'NoCoverage', replacement: '{}', location: at(2, 12, 4, 2) },
  { status: 'Killed', replacement: 'false', location: at(2, 5, 2, 10) },
  { status: 'Survived', replacement: 'a >= 0', location: at(2, 5, 2, 10) },
]
const survivors = survivorsOf({ 'src/a.ts': { source, mutants } })

it('lists the changes that no test noticed, in the order of the code', () => {
  const line = 'if (a > 0) {'
  expect(survivors).toEqual([
    { file: 'src/a.ts', line, from: 'a > 0', to: 'a >= 0' },
    { file: 'src/a.ts', line, from: '{\n  run()\n}', to: '{}' },
  ])
})

it('finds survivors without an explanation, and explanations without a survivor', () => {
  const [first] = survivors
  if (!first) throw new Error('there is no survivor')
  const gone = { ...first, to: 'a < 0', why: 'a is positive.' }
  const { unexplained, stale } = compareSurvivors(survivors, [{ ...first, why: 'a is 1.' }, gone])
  expect(unexplained).toEqual(survivors.slice(1))
  expect(stale).toEqual([gone])
})
