import { describe, expect, it } from 'vitest'
import { benches } from '../claims/index.mjs'
import { type Claim, judge } from '../lib/claim.mjs'
import { markdownOf } from '../lib/markdown.mjs'
import { runBench } from '../lib/run-bench.mjs'
import { summarise } from '../lib/statistics.mjs'
import { generateTexts } from '../lib/texts.mjs'

const claim: Claim = {
  claim: 'sample',
  figure: 'mb',
  unit: 'MB',
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
    const samples = { us: [{ mb: 10 }, { mb: 30 }, { mb: 12 }], them: [{ mb: 48 }] }
    expect(judge(claim, samples).verdict).toEqual({
      claim: 'sample',
      ours: 12,
      peer: 48,
      peerName: 'them 1.0',
      ratio: 0.25,
      goal: '<= 20 MB, ratio <= 0.5',
      unit: 'MB',
      ok: true,
    })
  })

  it('holds a claim only when every part of its goal is met', () => {
    const slow = { us: [{ mb: 21 }], them: [{ mb: 100 }] }
    const beaten = { us: [{ mb: 10 }], them: [{ mb: 12 }] }
    expect(judge(claim, slow).verdict.ok).toBe(false)
    expect(judge(claim, beaten).verdict.ok).toBe(false)
  })

  it('has no ratio to nothing', () => {
    const leaks: Claim = { ...claim, goal: { max: 0 } }
    const { verdict } = judge(leaks, { us: [{ mb: 0 }], them: [{ mb: 0 }] })
    expect(verdict).toMatchObject({ ratio: null, ok: true })
  })

  it('refuses an absolute goal for a time, which holds on one machine and fails on the next', () => {
    const seconds: Claim = { ...claim, figure: 's', unit: 's', goal: { max: 2 } }
    expect(() => judge(seconds, { us: [{ s: 1 }], them: [{ s: 1 }] })).toThrow(
      'sample judges a time by 2 s: use a ratio',
    )
  })

  it('refuses a contender that did not measure the figure', () => {
    expect(() => judge(claim, { us: [{ s: 1 }], them: [{ mb: 1 }] })).toThrow('did not measure mb')
  })
})

describe('the claims', () => {
  it.each(Object.entries(benches))('of %s judge no time by an absolute goal', async (_, load) => {
    for (const one of (await load()).claims) {
      const samples = { [one.ours]: [{ [one.figure]: 1 }], [one.peer]: [{ [one.figure]: 1 }] }
      expect(judge(one, samples).verdict.goal).not.toBe('')
    }
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
      { us: [{ mb: 10 }, { mb: 12 }], them: [{ mb: 44 }] },
    )
    const found = [{ name: 'sample', title: 'some work', judged: [judged] }]
    const run = { date: '2026-01-31', node: '20.19.0', processor: 'Fast', processors: 2, rounds: 2 }
    const text = markdownOf(found, run)
    expect(text).toContain('Of 2026-01-31, on Node 20.19.0 and 2 processors (Fast)')
    expect(text).toContain('## `sample`: some work\n\n| claim | ours |')
    expect(text).toContain(
      '| `sample` | 11 MB (10 to 12) | them \\| theirs: 44 MB | 0.25 | <= 20 MB, ratio <= 0.5 | ✓ |\n',
    )
  })
})
