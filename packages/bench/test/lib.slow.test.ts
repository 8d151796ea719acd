import { describe, expect, it } from 'vitest'
import { benches } from '../claims/index.mjs'
import { type Claim, evaluateClaim } from '../lib/claim.mjs'
import { formatMarkdown } from '../lib/markdown.mjs'
import { runBench } from '../lib/run-bench.mjs'
import { summarise } from '../lib/statistics.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'

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
  it('returns the median of an odd and an even number of measurements', () => {
    expect(summarise([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
    expect(summarise([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 })
  })
})

describe('evaluateClaim', () => {
  it('compares medians with the goal', () => {
    const samples = { us: [{ mb: 10 }, { mb: 30 }, { mb: 12 }], them: [{ mb: 48 }] }
    expect(evaluateClaim(claim, samples).result).toEqual({
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

  it('requires every part of the goal', () => {
    const aboveMax = { us: [{ mb: 21 }], them: [{ mb: 100 }] }
    const aboveRatio = { us: [{ mb: 10 }], them: [{ mb: 12 }] }
    expect(evaluateClaim(claim, aboveMax).result.ok).toBe(false)
    expect(evaluateClaim(claim, aboveRatio).result.ok).toBe(false)
  })

  it('has no ratio if the figure of the peer is 0', () => {
    const leaks: Claim = { ...claim, goal: { max: 0 } }
    const { result } = evaluateClaim(leaks, { us: [{ mb: 0 }], them: [{ mb: 0 }] })
    expect(result).toMatchObject({ ratio: null, ok: true })
  })

  it('rejects an absolute goal for a time, which depends on the machine', () => {
    const seconds: Claim = { ...claim, figure: 's', unit: 's', goal: { max: 2 } }
    expect(() => evaluateClaim(seconds, { us: [{ s: 1 }], them: [{ s: 1 }] })).toThrow(
      'sample limits a time to 2 s. Set maxRatio or minRatio instead',
    )
  })

  it('rejects a contender that did not measure the figure', () => {
    expect(() => evaluateClaim(claim, { us: [{ s: 1 }], them: [{ mb: 1 }] })).toThrow(
      'did not measure mb',
    )
  })
})

describe('the claims', () => {
  it.each(Object.entries(benches))('of %s set no absolute goal for a time', async (_, load) => {
    for (const one of (await load()).claims) {
      const samples = { [one.ours]: [{ [one.figure]: 1 }], [one.peer]: [{ [one.figure]: 1 }] }
      expect(evaluateClaim(one, samples).result.goal).not.toBe('')
    }
  })
})

describe('runBench', () => {
  it('rotates the order of the contenders with each round', async () => {
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

describe('generateCatalog', () => {
  const catalog = generateCatalog({ keys: 500, languages: 20, modules: 5 })

  it('generates the same catalog every time', () => {
    expect(generateCatalog({ keys: 500, languages: 20, modules: 5 })).toEqual(catalog)
  })

  it('has unique keys, translated to every language with the same parameters', () => {
    expect(new Set(catalog.messages.map(({ key }) => key)).size).toBe(500)
    for (const { params, translations } of catalog.messages) {
      expect(Object.keys(translations)).toEqual(catalog.languages)
      for (const text of Object.values(translations)) {
        expect([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1])).toEqual(params)
      }
    }
  })

  it('has the lengths of interface messages', () => {
    const lengths = catalog.messages.map((key) => key.translations['en-US']?.length ?? 0)
    const { median, max } = summarise(lengths)
    expect(median).toBeGreaterThan(12)
    expect(median).toBeLessThan(32)
    expect(max).toBeGreaterThan(80)
    const withParams = catalog.messages.filter(({ params }) => params.length > 0).length
    expect(withParams / 500).toBeCloseTo(0.15, 1)
  })
})

describe('formatMarkdown', () => {
  it('writes a table for each bench and escapes its cells', () => {
    const peerName = 'them | theirs'
    const evaluation = evaluateClaim(
      { ...claim, peerName },
      { us: [{ mb: 10 }, { mb: 12 }], them: [{ mb: 44 }] },
    )
    const benches = [{ name: 'sample', title: 'some work', evaluations: [evaluation] }]
    const run = { date: '2026-01-31', node: '20.19.0', processor: 'Fast', processors: 2, rounds: 2 }
    const text = formatMarkdown(benches, run)
    expect(text).toContain('Measured on 2026-01-31 with Node 20.19.0 on 2 processors (Fast)')
    expect(text).toContain('## `sample`: some work\n\n| claim | ours |')
    expect(text).toContain(
      '| `sample` | 11 MB (10 to 12) | them \\| theirs: 44 MB | 0.25 | <= 20 MB, ratio <= 0.5 | ✓ |\n',
    )
  })
})
