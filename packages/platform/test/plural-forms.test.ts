import { beforeAll, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { control } from './control-client.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({})
    await platform.loadProject(
      project('P', {
        'en-US': {
          cart: { ITEMS_one: '{{count}} item', ITEMS_other: '{{count}} items', TITLE_few: 'A few' },
        },
        'ar-EG': { cart: { ITEMS_few: '{{count}} عناصر', ITEMS_other: '{{count}} عنصر' } },
        'ja-JP': { cart: { ITEMS_one: '一点' } },
      }),
    )
  })
  const on = async (method: string, path: string, body?: unknown) =>
    (await control(platform, method, `/projects/P${path}`, body)).body

  it('are missing only in the languages that use them', async () => {
    expect(await on('GET', '/modules')).toMatchObject([
      {
        keys: 4,
        written: { 'en-US': 3, 'ar-EG': 2, 'ja-JP': 1 },
        // Japanese has only the form other; its unused form one has a translation.
        unusedForms: { 'en-US': 1, 'ja-JP': 1 },
      },
    ])
    const missing = async (language: string) => {
      const { items } = (await on('GET', `/keys?missing=${language}`)) as {
        items: { key: string }[]
      }
      return items.map(({ key }) => key)
    }
    expect(await missing('en-US')).toEqual([])
    // A key with such a name, but without the form other, is no plural.
    expect(await missing('ja-JP')).toEqual(['ITEMS_other', 'TITLE_few'])
    expect(await missing('ar-EG')).toEqual(['ITEMS_one', 'TITLE_few'])
  })

  it('are translated only into the languages that use them', async () => {
    await on('PUT', '/texts', [
      { module: 'cart', key: 'ITEMS_one', language: 'ja-JP', value: null },
    ])
    const { itemId } = (await on('POST', '/translation-jobs', {})) as { itemId: string }
    await control(platform, 'POST', '/queue/drain')
    const job = (await on('GET', `/translation-jobs/${itemId}`)) as { total: number }
    expect(job.total).toBe(4)
  })
})
