import { describe, expect, it } from 'vitest'
import {
  DataSchema,
  GatewayResponseBody,
  listSchemas,
  MutationResult,
  SchemaListing,
} from './data.ts'
import { Rejection, UilmError, ValidationDetail } from './errors.ts'
import { limits } from './limits.ts'
import { LanguageList, UilmFile, UilmFileQuery } from './localization.ts'

const language = {
  itemId: 'l1',
  languageName: 'German',
  languageCode: 'de-DE',
  isDefault: true,
  projectKey: null,
}

describe('the language list', () => {
  it.each([
    ['an array', [language]],
    ['items', { items: [language] }],
    ['data', { data: [{ code: 'de-DE' }, { culture: 'en-US' }] }],
  ])('may be %s', (_, list) => {
    expect(LanguageList.parse(list)).toEqual(list)
  })

  it('accepts nothing else', () => {
    expect(LanguageList.safeParse({ languages: [language] }).success).toBe(false)
  })
})

describe('the translation file', () => {
  it('accepts any key with any value', () => {
    const file = JSON.parse('{"A": null, "b.c": " x ", "": "e", "n": {"d": "n.d"}}')
    const parsed = UilmFile.parse(file)
    expect(Object.entries(parsed)).toEqual(Object.entries(file as object))
  })

  it('requires a project key of at most 64 characters', () => {
    const query = { Language: 'de-DE', ModuleName: 'auth', ProjectKey: 'k'.repeat(64) }
    expect(UilmFileQuery.safeParse(query).success).toBe(true)
    expect(limits.projectKeyLength).toBe(64)
    for (const wrong of ['', 'k'.repeat(65)]) {
      expect(UilmFileQuery.safeParse({ ...query, ProjectKey: wrong }).success).toBe(false)
    }
    expect(UilmFileQuery.safeParse({ ...query, Language: '' }).success).toBe(false)
  })
})

describe('the schema listing', () => {
  const schema = {
    id: 's1',
    schemaName: 'Product',
    collectionName: 'Products',
    schemaType: 9,
    querySchema: 'Products',
    mutationSchemas: ['insertProduct', { name: 'updateProduct' }],
    fields: [
      {
        name: 'Size',
        type: 'Dimensions',
        isArray: false,
        requiredOn: 'Insert',
        description: null,
        fields: [{ name: 'Width' }],
      },
    ],
  }

  it('passes unknown codes and members through unchanged', () => {
    const more = { ...schema, projectShortKey: 'x' }
    expect(DataSchema.parse(more)).toEqual(more)
  })

  it('accepts schemas in data.items or in items', () => {
    for (const listing of [
      { isSuccess: true, errors: null, data: { totalCount: 1, items: [schema] } },
      { items: [schema] },
    ]) {
      expect(SchemaListing.parse(listing)).toEqual(listing)
    }
  })

  it('numbers its pages from 1', () => {
    const { query } = listSchemas
    expect(query.parse({ ProjectKey: 'P1' })).toEqual({ ProjectKey: 'P1', PageNo: 1, PageSize: 10 })
    expect(query.parse({ ProjectKey: 'P1', PageNo: '2', PageSize: '50' })).toMatchObject({
      PageNo: 2,
      PageSize: 50,
    })
    expect(query.safeParse({ ProjectKey: 'P1', PageNo: '0' }).success).toBe(false)
    expect(query.safeParse({ ProjectKey: 'P1', PageSize: 'ten' }).success).toBe(false)
  })
})

describe('the gateway', () => {
  it('returns data, errors or both', () => {
    for (const result of [
      { data: { Products: { totalCount: 3 } } },
      { errors: [{ message: 'no', extensions: { code: 'AUTH_NOT_AUTHENTICATED' } }] },
      {
        data: null,
        errors: [{ message: 'no', path: ['a', 0], locations: [{ line: 1, column: 2 }] }],
      },
    ]) {
      expect(GatewayResponseBody.parse(result)).toEqual(result)
    }
  })

  it('acknowledges an insert with a count of 0', () => {
    const inserted = { acknowledged: true, itemId: 'i1', totalImpactedData: 0, message: null }
    expect(MutationResult.parse(inserted)).toEqual(inserted)
  })
})

it('accepts the error bodies of section 7', () => {
  const uilm = {
    code: 400,
    message: {
      type: 't',
      title: 'x',
      status: 400,
      errors: { Language: ['is empty'] },
      traceId: '1',
    },
  }
  expect(UilmError.parse(uilm)).toEqual(uilm)
  const rejection = { Errors: { Message: 'No such project' }, IsSuccess: false }
  expect(Rejection.parse(rejection)).toEqual(rejection)
  expect(Rejection.safeParse({ ...rejection, IsSuccess: true }).success).toBe(false)
  const detail = {
    detail: [{ loc: ['body', 'answer', 0], msg: 'Field required', type: 'missing' }],
  }
  expect(ValidationDetail.parse(detail)).toEqual(detail)
})
