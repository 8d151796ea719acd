import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from '@servicekit/check'
import { expect, it } from 'vitest'
import { run } from './run.ts'

const page = readFileSync(
  join(import.meta.dirname, '../../../docs/guides/troubleshooting.md'),
  'utf8',
)

it('prints the section about a code, as text without addresses', async () => {
  const { code, stdout } = await run(['explain', 'SNAPSHOT_DRIFT'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^SNAPSHOT_DRIFT\n\n\S/)
  const lower = await run(['explain', 'config_invalid'])
  expect(lower.stdout).toContain('Compare with the config options or the flags.')
  expect(lower.stdout).not.toMatch(/\]\(|https?:/)
})

it('explains the rules of check, by their names', async () => {
  for (const rule of Object.keys(rules)) {
    const { stdout } = await run(['explain', `rule-${rule}`])
    expect(stdout).toMatch(new RegExp(`^rule-${rule}\n\n\\S`))
  }
  const short = await run(['explain', 'unused'])
  expect(short.stdout).toBe((await run(['explain', 'rule-unused'])).stdout)
})

it('lists every code of the page without a code', async () => {
  const { code, stdout } = await run(['explain'])
  expect(code).toBe(0)
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading]) =>
    heading!.replace('Rule ', 'rule-'),
  )
  expect([...stdout.matchAll(/^ {2}(\S+)$/gm)].map(([, one]) => one)).toEqual(headings)
  const listed = JSON.parse((await run(['explain', '--json'])).stdout) as { code: string }[]
  expect(listed.map((one) => one.code)).toEqual(headings)
})

it('suggests the closest code for an unknown one', async () => {
  const typo = await run(['explain', 'SNAPSHOT_DRFIT'])
  expect(typo.code).toBe(2)
  expect(typo.stderr).toContain('Unknown code "SNAPSHOT_DRFIT". Did you mean "SNAPSHOT_DRIFT"?')
  const lower = await run(['explain', 'snapshot-drift'])
  expect(lower.stderr).toContain('Did you mean "snapshot_drift"?')
  const other = await run(['explain', 'qqqqqqqqqqqqqqqqqqqq'])
  expect(other.stderr).toContain('Run `npx servicekit explain` for the list of codes.')
})
