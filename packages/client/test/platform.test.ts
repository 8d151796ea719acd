import { readFile } from 'node:fs/promises'
import { data, localization } from '@servicekit/contract'
import { createPlatform, type Platform } from '@servicekit/platform'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, fetchTransport } from '../src/index.ts'
import { storefront } from './storefront.ts'

const { projectKey } = JSON.parse(await readFile(`${storefront}/project.json`, 'utf8')) as {
  projectKey: string
}

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [storefront] })
})
afterAll(() => platform?.close())

const clientFor = (key = projectKey, options: object = {}): Client =>
  createClient({
    baseUrl: 'http://platform.test',
    projectKey: key,
    transport: fetchTransport((request) => platform.fetch(request)),
    ...options,
  })

describe.each(['localization', 'uilm'] as const)('the platform’s %s routes', (family) => {
  it('return languages and modules', async () => {
    const client = clientFor()
    const languages = await client.localization.listLanguages({ family })
    expect(languages.filter(({ isDefault }) => isDefault).map(({ code }) => code)).toContain(
      'en-US',
    )
    expect(languages.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['ar-EG', 'bn-BD', 'de-DE', 'fr-FR', 'ja-JP']),
    )
    const modules = await client.localization.listModules({ family })
    expect(modules.map(({ name }) => name)).toContain('auth')
  })

  it('return a file, and 304 for its ETag', async () => {
    const client = clientFor()
    const place = { language: 'de-DE', module: 'auth' }
    const file = await client.localization.getFile(place, { family })
    expect(file).toMatchObject({ status: 'ok', translations: { SIGN_IN: 'Anmelden' } })
    const { etag } = file as { etag: string }
    expect(await client.localization.getFile({ ...place, etag }, { family })).toEqual({
      status: 'unchanged',
    })
    expect(await client.localization.getFile({ ...place, etag: '"other"' }, { family })).toEqual(
      file,
    )
  })

  it('reject unknown names, with the reason in the error', async () => {
    const client = clientFor()
    const unknown = client.localization.getFile(
      { language: 'de-DE', module: 'nowhere' },
      { family },
    )
    await expect(unknown).rejects.toMatchObject({
      status: 400,
      details: { module: 'nowhere', message: expect.stringContaining('ModuleName: ') },
    })
    const stranger = clientFor('Pnobody').localization.getFile(
      { language: 'de-DE', module: 'auth' },
      { family },
    )
    await expect(stranger).rejects.toMatchObject({ status: 401 })
  })

  it('return what the contract describes', async () => {
    const prefix = family === 'uilm' ? 'uilm/v1' : 'localization/v4'
    const get = async (path: string): Promise<unknown> => {
      const url = `http://platform.test/${prefix}/${path}ProjectKey=${projectKey}`
      const response = await platform.fetch(
        new Request(url, { headers: { 'x-service-key': projectKey } }),
      )
      return response.json()
    }
    const list = family === 'uilm' ? localization.uilmListLanguages : localization.listLanguages
    expect(list.responses[200].schema.safeParse(await get('Language/Gets?')).error).toBeUndefined()
    const file = await get('Key/GetUilmFile?Language=de-DE&ModuleName=auth&')
    expect(localization.UilmFile.safeParse(file).error).toBeUndefined()
  })
})

describe('the platform’s data routes', () => {
  it('list every schema, page by page', async () => {
    const names = async (pageSize: number): Promise<string[]> => {
      const all: string[] = []
      for await (const schema of clientFor().data.listSchemas({ pageSize })) {
        expect(data.DataSchema.safeParse(schema).error).toBeUndefined()
        all.push(schema.schemaName)
      }
      return all
    }
    const all = await names(100)
    expect(all).toContain('Product')
    expect(await names(1)).toEqual(all)
    expect(await names(3)).toEqual(all)
  })

  it('run a query, and report the errors of an invalid one', async () => {
    const client = clientFor()
    const query = '{ Products(paging: { pageNo: 1, pageSize: 2 }) { items { ItemId } totalCount } }'
    const result = await client.data.execute<{ Products: { items: object[]; totalCount: number } }>(
      { query },
    )
    expect(result).toMatchObject({ ok: true, data: { Products: { items: [{}, {}] } } })
    const wrong = await client.data.execute({ query: '{ Products { nonsense } }' })
    expect(wrong).toMatchObject({
      ok: false,
      errors: [{ message: expect.stringContaining('nonsense') }],
    })
  })

  it('report an unknown project', async () => {
    expect(await clientFor('Pnobody').data.execute({ query: '{ a }' })).toMatchObject({
      ok: false,
      errors: [{ cause: { status: 404, details: { project: 'Pnobody' } } }],
    })
  })
})
