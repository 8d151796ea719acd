import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from '@servicekit/codegen'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printServicekitUsage } from '../lib/usage-programs.mjs'
import { entitiesOf, generateSchemas, listingOf } from '../lib/schemas.mjs'
import { removeFolders, temporaryFolder } from '../lib/temporary-folder.mjs'
import { type TypeCheckResult, measureTypeCheck } from '../lib/type-check.mjs'

afterAll(removeFolders)

/** Measures a program that uses `used` of the entities. */
async function check(entities: number, used: number): Promise<TypeCheckResult> {
  const root = temporaryFolder()
  const schemas = generateSchemas(entities)
  mkdirSync(join(root, 'gateway'))
  await generate({ listing: listingOf(schemas), outDir: join(root, 'gateway') })
  const usage = printServicekitUsage(entitiesOf(schemas).slice(0, used), './gateway')
  writeFileSync(join(root, 'use.ts'), usage)
  return measureTypeCheck(join(root, 'use.ts'))
}

describe('generated operations', () => {
  let one: TypeCheckResult
  beforeAll(async () => {
    one = await check(5, 1)
  })

  it('cost at most 22 type instantiations each', async () => {
    const { instantiations } = await check(60, 60)
    expect(instantiations / 120).toBeGreaterThan(1)
    expect(instantiations / 120).toBeLessThanOrEqual(22)
  })

  it('cost at most 410 instantiations for one list and one insert', () => {
    expect(one.instantiations).toBeLessThanOrEqual(410)
  })

  it('cost the same, independent of the number of other operations', async () => {
    const ofMany = await check(200, 1)
    expect(ofMany.instantiations).toBe(one.instantiations)
    expect(ofMany.types).toBe(one.types)
  })
})
