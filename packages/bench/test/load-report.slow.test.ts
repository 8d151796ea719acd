import { expect, it } from 'vitest'
import { judge } from '../lib/load-report.mjs'
import { plot } from '../lib/plot.mjs'

const windowOf = (phase: 'steady' | 'overload' | 'recovery', at: number, changes: object = {}) => ({
  phase,
  atSeconds: at,
  seconds: phase === 'recovery' ? 1 : 10,
  rate: 100,
  accepted: 1000,
  refused: phase === 'overload' ? 500 : 0,
  failed: 0,
  medianMs: 5,
  p99Ms: 20,
  residentMb: 100,
  othersPercent: 0,
  workPercent: 100,
  ...changes,
})
const run = (changes: (phase: string, index: number) => object = () => ({})) => [
  ...Array.from({ length: 60 }, (_, i) => windowOf('steady', 10 * i, changes('steady', i))),
  ...Array.from({ length: 6 }, (_, i) =>
    windowOf('overload', 600 + 10 * i, changes('overload', i)),
  ),
  ...Array.from({ length: 20 }, (_, i) => windowOf('recovery', 660 + i, changes('recovery', i))),
]
const bare = { medianMs: 2, p99Ms: 9 }
const missed = (windows: ReturnType<typeof run>, bareWindow = bare) =>
  judge(windows, [], [bareWindow]).flatMap(({ name, isMet }) => (isMet ? [] : [name]))

it('misses exactly the goals that a run does not meet', () => {
  expect(missed(run())).toEqual([])
  expect(missed(run((phase, i) => (phase === 'steady' && i === 7 ? { refused: 1 } : {})))).toEqual([
    'No error at 80 % of saturation',
  ])
  const slow = run((phase) => (phase === 'steady' ? { p99Ms: 26 } : {}))
  expect(missed(slow)).toEqual([
    'p99 within 5 times the median, or within the multiple of a bare handler',
  ])
  expect(missed(slow, { medianMs: 2, p99Ms: 10.4 })).toEqual([])
  expect(
    missed(run((phase, i) => (phase === 'steady' ? { residentMb: 100 + i / 50 } : {}))),
  ).toEqual(['Memory grows by less than 1 MB in ten minutes'])
  expect(missed(run((phase, i) => (phase === 'overload' && i === 3 ? { failed: 1 } : {})))).toEqual(
    ['Three times saturation is refused with 429 or 503, and nothing fails otherwise'],
  )
  expect(
    missed(run((phase, i) => (phase === 'recovery' && i === 6 ? { refused: 1 } : {}))),
  ).toEqual(['As fast as before within 5 s of the overload'])
})

it('judges a window only for failures if others took processor time', () => {
  const disturbed = (changes: object) =>
    run((phase, i) => (phase === 'steady' && i % 3 === 0 ? { othersPercent: 12, ...changes } : {}))
  expect(missed(disturbed({ refused: 400, p99Ms: 900 }))).toEqual([])
  expect(missed(disturbed({ failed: 1 }))).toEqual([
    'With less processor time, requests are refused and nothing fails otherwise',
  ])
  const slower = { workPercent: 130, refused: 400, p99Ms: 900 }
  expect(missed(run((phase, i) => (phase === 'steady' && i % 3 === 0 ? slower : {})))).toEqual([])
  expect(
    missed(run((phase, i) => (phase === 'steady' && i > 20 ? { othersPercent: 12 } : {}))),
  ).toEqual(['No error at 80 % of saturation'])
})

it('reports the p99 and the memory slope over the whole steady phase, with disturbed windows', () => {
  const windows = run((phase, i) =>
    phase === 'steady' ? { residentMb: i < 20 ? 100 + i : 120, othersPercent: i < 5 ? 12 : 0 } : {},
  )
  const figures = judge(
    windows,
    Array.from({ length: 1000 }, (_, i) => 1000 - i),
    [bare],
  ).map(({ figure }) => figure)
  expect(figures[2]).toMatch(
    /; 991\.0 ms over all requests; bare handler 9\.0 ms, median 2\.0 ms: 4\.5 times$/,
  )
  expect(figures[3]).toMatch(/^0\.00 MB .*; 16\.22 MB ± \S+ over all windows$/)
})

it('draws lines without values outside of the picture', () => {
  const lines = [
    {
      label: 'p99',
      points: [
        [0, 0],
        [1, 900],
        [2, 4],
      ] as const,
    },
  ]
  const svg = plot({ title: 'Time', unit: 'ms', isLogarithmic: true, lines })
  const coordinates = /points="([^"]+)"/.exec(svg)![1]!.split(/[ ,]/).map(Number)
  expect(coordinates.every((one) => one >= 0 && one <= 760)).toBe(true)
  expect(svg).toContain('prefers-color-scheme: dark')
})
