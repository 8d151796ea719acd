import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from './openapi.ts'
import { access, defineOperation } from './operation.ts'
import { operations } from './operations.ts'

type SpecData = Record<string, unknown>

const validate = (document: object) =>
  new Validator().validate(structuredClone(document) as SpecData)

describe('openApiDocument', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const result = await validator.validate(
      structuredClone(openApiDocument()) as unknown as SpecData,
    )
    expect(result).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('fails validation if it is damaged', async () => {
    const document = openApiDocument()
    const [path, item] = Object.entries(document.paths)[0]!
    const broken = { ...document, paths: { [path]: { get: { ...item['get'], responses: 7 } } } }
    expect(await validate(broken)).toMatchObject({ valid: false })
  })

  it('describes every operation at its path', async () => {
    const document = openApiDocument()
    for (const { route } of operations) {
      expect(document.paths[route.path]?.[route.method.toLowerCase()]).toMatchObject({
        operationId: route.id,
      })
    }
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
      '__snapshots__/openapi.json',
    )
  })

  it('contains no dangling references', () => {
    const document = openApiDocument()
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)]
    expect(references.length).toBeGreaterThan(10)
    for (const [, reference] of references) {
      const name = reference!.replace('#/components/schemas/', '')
      expect(Object.keys(document.components.schemas), reference).toContain(name)
    }
  })

  it('describes the location of each parameter and the encoding of bodies', async () => {
    const operation = defineOperation(
      {
        id: 'test.writeThing',
        method: 'POST',
        path: '/things/{thingId}',
        query: ['dry'],
        body: 'form',
        effect: 'replace',
      },
      {
        section: '4.2',
        summary: 'Write a thing',
        access: access.projectAdministratorByToken,
        path: z.object({ thingId: z.string() }),
        query: z.object({ dry: z.string().optional() }),
        body: z.object({ name: z.string() }),
        responses: { 200: { description: 'Text', schema: z.string(), mediaType: 'text/plain' } },
      },
    )
    const document = openApiDocument({
      operations: [operation],
      baseUrl: 'https://api.example.com',
    })
    expect(await validate(document)).toEqual({ valid: true })
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }])
    expect(document.paths['/things/{thingId}']?.['post']).toMatchObject({
      security: [{ project: [], bearer: [] }],
      parameters: [
        { name: 'thingId', in: 'path', required: true },
        { name: 'dry', in: 'query', required: false },
      ],
      requestBody: { content: { 'application/x-www-form-urlencoded': {} } },
      responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } },
    })
  })
})
