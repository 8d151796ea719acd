import { describe, expect, it } from 'vitest'
import { type Claim, judge } from '../lib/claim.mjs'
import { markdownOf } from '../lib/markdown.mjs'
import { runBench } from '../lib/run-bench.mjs'
import { summarise } from '../lib/statistics.mjs'
import { generateTexts } from '../lib/texts.mjs'

const claim: Claim = {
  claim: 'sample',
  figure: 'ms',
  unit: 'ms',
  ours: 'us',
  peer: 'them',
  peerName: 'them 1.0',
  goal: { max: 20, maxRatio: 0.5 },
}

describe('summarise', () => {
  it('takes the middle of odd and even numbers of measurements', () => {
    expect(summarise([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
    expect(summarise([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 })
  })
})

describe('judge', () => {
  it('compares medians with the goal', () => {
    const samples = { us: [{ ms: 10 }, { ms: 30 }, { ms: 12 }], them: [{ ms: 48 }] }
    expect(judge(claim, samples).verdict).toEqual({
      claim: 'sample',
      ours: 12,
      peer: 48,
      peerName: 'them 1.0',
      ratio: 0.25,
      goal: '<= 20 ms, ratio <= 0.5',
      unit: 'ms',
      ok: true,
    })
  })

  it('holds a claim only when every part of its goal is met', () => {
    const slow = { us: [{ ms: 21 }], them: [{ ms: 100 }] }
    const beaten = { us: [{ ms: 10 }], them: [{ ms: 12 }] }
    expect(judge(claim, slow).verdict.ok).toBe(false)
    expect(judge(claim, beaten).verdict.ok).toBe(false)
  })

  it('has no ratio to nothing', () => {
    const leaks: Claim = { ...claim, goal: { max: 0 } }
    const { verdict } = judge(leaks, { us: [{ ms: 0 }], them: [{ ms: 0 }] })
    expect(verdict).toMatchObject({ ratio: null, ok: true })
  })

  it('refuses a contender that did not measure the figure', () => {
    expect(() => judge(claim, { us: [{ s: 1 }], them: [{ ms: 1 }] })).toThrow('did not measure ms')
  })
})

describe('runBench', () => {
  it('turns the order of the contenders with each round', async () => {
    const order: string[] = []
    const contender = (name: string) => async () => {
      order.push(name)
      return { ms: 1 }
    }
    const samples = await runBench(
      {
        title: 'sample',
        claims: [claim],
        prepare: async () => ({ us: contender('us'), them: contender('them') }),
      },
      { rounds: 3, progress: () => undefined },
    )
    expect(order).toEqual(['us', 'them', 'them', 'us', 'us', 'them'])
    expect(samples['us']).toHaveLength(3)
  })
})

describe('generateTexts', () => {
  const texts = generateTexts({ keys: 500, languages: 20, modules: 5 })

  it('makes the same texts every time', () => {
    expect(generateTexts({ keys: 500, languages: 20, modules: 5 })).toEqual(texts)
  })

  it('has a key once, in every language, with the same parameters', () => {
    expect(new Set(texts.keys.map(({ key }) => key)).size).toBe(500)
    for (const { params, texts: byLanguage } of texts.keys) {
      expect(Object.keys(byLanguage)).toEqual(texts.languages)
      for (const text of Object.values(byLanguage)) {
        expect([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1])).toEqual(params)
      }
    }
  })

  it('has the lengths of interface texts', () => {
    const lengths = texts.keys.map((key) => key.texts['en-US']?.length ?? 0)
    const { median, max } = summarise(lengths)
    expect(median).toBeGreaterThan(12)
    expect(median).toBeLessThan(32)
    expect(max).toBeGreaterThan(80)
    const withParams = texts.keys.filter(({ params }) => params.length > 0).length
    expect(withParams / 500).toBeCloseTo(0.15, 1)
  })
})

describe('markdownOf', () => {
  it('writes a table for each bench, whatever is in its cells', () => {
    const peerName = 'them | theirs'
    const judged = judge(
      { ...claim, peerName },
      { us: [{ ms: 10 }, { ms: 12 }], them: [{ ms: 44 }] },
    )
    const found = [{ name: 'sample', title: 'some work', judged: [judged] }]
    const run = { date: '2026-01-31', node: '20.19.0', processor: 'Fast', processors: 2, rounds: 2 }
    const text = markdownOf(found, run)
    expect(text).toContain('Of 2026-01-31, on Node 20.19.0 and 2 processors (Fast)')
    expect(text).toContain('## `sample`: some work\n\n| claim | ours |')
    expect(text).toContain(
      '| `sample` | 11 ms (10 to 12) | them \\| theirs: 44 ms | 0.25 | <= 20 ms, ratio <= 0.5 | ✓ |\n',
    )
  })
})
