import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sampleListing } from './sample-listing.ts'
import { temporaryFolder } from './temporary.ts'

// Takes long on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const worker = `
import { generate } from '${new URL('../dist/index.js', import.meta.url).href}'
const [listing, outDir, output] = process.argv.slice(2)
const { schemas, operations, files } = await generate({ listing, outDir, output })
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ schemas, operations, files, mb: maxRSS / 1024 }))
`

test('1,000 schemas take at most 92 MB, Node included', () => {
  const folder = temporaryFolder()
  const system = ['CreatedDate', 'CreatedBy', 'Language', 'OrganizationId', 'Stock', 'Active']
  const more = system.map((name) => ({ name, type: 'String' }))
  writeFileSync(join(folder, 'worker.mjs'), worker)
  writeFileSync(join(folder, 'listing.json'), JSON.stringify(sampleListing(1000, more)))
  const runs = ['ts', 'js'].map((output): { readonly mb: number } => {
    // Otherwise up to 15 MB of garbage depend on how busy the machine is.
    const flag = '--max-semi-space-size=8'
    const args = [flag, 'worker.mjs', 'listing.json', join(folder, output), output]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
    expect(stderr).toBe('')
    return JSON.parse(stdout) as { readonly mb: number }
  })
  expect(runs).toMatchObject([
    { schemas: 1003, operations: 2000, files: 1010 },
    { schemas: 1003, operations: 2000, files: 2019 },
  ])
  // The time is measured by npm run bench, next to that of other generators.
  for (const { mb } of runs) expect(mb).toBeLessThanOrEqual(92)
})
