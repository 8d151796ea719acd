import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from '@servicekit/codegen'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useServicekit } from '../lib/consumers.mjs'
import { generateSchemas, listingOf } from '../lib/schemas.mjs'
import { removeFolders, temporaryFolder } from '../lib/temporary.mjs'
import { type Diagnosis, diagnose } from '../lib/typescript.mjs'

afterAll(removeFolders)

/** What a program that uses `used` of the entities costs the checker. */
async function check(entities: number, used: number): Promise<Diagnosis> {
  const root = temporaryFolder()
  const schemas = generateSchemas(entities)
  mkdirSync(join(root, 'gateway'))
  await generate({ listing: listingOf(schemas), outDir: join(root, 'gateway') })
  const chosen = schemas.filter(({ schemaType }) => schemaType === 1).slice(0, used)
  writeFileSync(join(root, 'use.ts'), useServicekit(chosen, './gateway'))
  return diagnose(join(root, 'use.ts'))
}

describe('generated operations', () => {
  let one: Diagnosis
  beforeAll(async () => {
    one = await check(5, 1)
  })

  it('cost at most 22 type instantiations each', async () => {
    const { instantiations } = await check(60, 60)
    expect(instantiations / 120).toBeGreaterThan(1)
    expect(instantiations / 120).toBeLessThanOrEqual(22)
  })

  it('cost at most 410 instantiations where one list and one insert are used', () => {
    expect(one.instantiations).toBeLessThanOrEqual(410)
  })

  it('cost the same however many others there are', async () => {
    const ofMany = await check(200, 1)
    expect(ofMany.instantiations).toBe(one.instantiations)
    expect(ofMany.types).toBe(one.types)
  })
})
