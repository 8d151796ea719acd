import { readText, writeIfChanged } from '@servicekit/catalog'
import { ServicekitError } from '@servicekit/client'
import { byCodePoint } from '@servicekit/core'
import { type Finding, fingerprintOf } from './finding.ts'

/** Known findings: number of occurrences by fingerprint. */
export type Baseline = ReadonlyMap<string, number>

/**
 * Reads a baseline file. Returns an empty baseline if the file does not exist.
 *
 * @throws ServicekitError READ_FAILED if the file cannot be read or is not a supported
 * baseline.
 */
export async function readBaseline(file: string): Promise<Baseline> {
  const text = await readText(file)
  if (text === undefined) return new Map()
  try {
    const { version, findings } = JSON.parse(text) as {
      version: unknown
      findings: Record<string, number>
    }
    if (version !== 1) throw new Error(`version ${String(version)}`)
    return new Map(Object.entries(findings))
  } catch (cause) {
    throw new ServicekitError(`Cannot read the baseline ${file}`, {
      code: 'READ_FAILED',
      cause,
      help: 'Delete it and write a new one with --update-baseline.',
    })
  }
}

/** Writes the current findings, sorted and one per line, so that diffs are readable. */
export async function writeBaseline(file: string, findings: readonly Finding[]): Promise<void> {
  const counts = new Map<string, number>()
  for (const finding of findings) {
    const id = fingerprintOf(finding)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a], [b]) => byCodePoint(a, b))
  const body = { version: 1, findings: Object.fromEntries(sorted) }
  await writeIfChanged(file, `${JSON.stringify(body, null, 2)}\n`)
}

/** Splits findings into new and known ones, and counts baseline entries that are fixed. */
export function compareBaseline(
  findings: readonly Finding[],
  baseline: Baseline,
): { readonly fresh: readonly Finding[]; readonly known: number; readonly fixed: number } {
  const left = new Map(baseline)
  const fresh = findings.filter((finding) => {
    const id = fingerprintOf(finding)
    const count = left.get(id) ?? 0
    if (count > 0) left.set(id, count - 1)
    return count === 0
  })
  const fixed = [...left.values()].reduce((sum, count) => sum + count, 0)
  return { fresh, known: findings.length - fresh.length, fixed }
}
