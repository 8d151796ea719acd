import { isBrowserMissing } from '@servicekit/testing/browser'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('schema drafts', { timeout: 120_000 }, () => {
  const console = useConsole()
  const { open, problems, violations } = console
  const button = (name: string | RegExp, page = console.page) =>
    page.getByRole('button', { name, exact: true })
  const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (response.status === 204 ? undefined : await response.json()) as T
  }
  interface Field {
    readonly name: string
    readonly type?: string
    readonly description?: string
  }
  interface Schema {
    readonly schemaName: string
    readonly readAccessLevel?: number
    readonly fields: readonly Field[]
  }
  interface Listing {
    readonly schemas: readonly Schema[]
    readonly drafts: readonly { readonly schemaName: string; readonly definition?: Schema }[]
  }
  const read = () => control<Listing>('GET', '/schemas')
  const fieldsOf = (schema: Schema | undefined) =>
    new Map(schema?.fields.map((one) => [one.name, one]))
  const draftOf = async (name: string) =>
    (await read()).drafts.find(({ schemaName }) => schemaName === name)?.definition
  const view = `/data?project=${projectKey}`
  const group = (name: string, page: Page = console.page) =>
    page.getByRole('dialog').getByRole('group', { name, exact: true })

  afterEach(() => control('POST', '/schemas/discard'))

  it('adds a schema with a relation, and its records', async () => {
    await open(view)
    await button('New schema').click()
    const dialog = console.page.getByRole('dialog')
    await button('Save draft').click()
    await dialog.getByRole('alert').getByText('Use letters').waitFor()
    await dialog.getByLabel('Name of the schema').fill('product')
    await dialog.getByText('This name is already in use.').waitFor()
    await dialog.getByLabel('Name of the schema').fill('Review')
    await dialog.getByLabel('read').first().selectOption('everyone')
    await button('Add field').click()
    await group('New field').getByLabel('Name').fill('Text')
    await group('Text').getByLabel('Required').selectOption('on insert')
    await dialog.getByLabel('Add relation to …').selectOption('Product')
    await group('ProductId').getByText('Refers to').waitFor()
    expect(await violations()).toEqual([])
    await button('Save draft').click()
    await console.page.getByText('The draft is saved.').waitFor()
    const changes = console.page.getByRole('region', { name: 'Changes of Review' })
    await changes
      .getByRole('row', { name: 'Text' })
      .getByText('String · required on insert')
      .waitFor()
    await console.page.getByText('keeps compiling').waitFor()
    expect(await violations()).toEqual([])
    expect(fieldsOf(await draftOf('Review')).get('ProductId')).toMatchObject({ type: 'ID' })
    await button('Publish schemas').click()
    await button('Publish schemas').last().click()
    await console.page.getByText('The schemas are published.').waitFor()
    expect((await read()).drafts).toEqual([])

    await console.page.getByRole('link', { name: 'Records of Review' }).click()
    await button('New record').click()
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Keeps tea warm')
    await button('Save').click()
    await console.page.getByText('The record is saved.').waitFor()
    await console.page.getByRole('link', { name: 'Query', exact: true }).click()
    const editor = console.page.getByRole('textbox', { name: 'Query' })
    await editor.fill('{ Reviews(where: {Text: {contains: "tea"}}) { items { Text } } }')
    await editor.press('Control+Enter')
    await console.page
      .getByRole('region', { name: 'Result' })
      .getByText('"Text": "Keeps tea warm"')
      .waitFor()

    await open(view)
    await button('Delete Review').click()
    await console.page.getByText('Publishing will delete Review.').waitFor()
    await console.page
      .getByRole('region', { name: 'What stops compiling' })
      .getByText('insertReview')
      .waitFor()
    await button('Undo').click()
    await console.page.getByText('The change is undone.').waitFor()
    expect((await read()).drafts).toEqual([])
    await button('Delete Review').click()
    await button('Publish schemas').click()
    await console.page.getByText('All records of these schemas are deleted: Review').waitFor()
    expect(await violations()).toEqual([])
    await button('Publish schemas').last().click()
    await expect
      .poll(async () => (await read()).schemas.map(({ schemaName }) => schemaName))
      .not.toContain('Review')
    expect(problems).toEqual([])
  })

  it('shows a schema with two fields of one name, and with members of odd names', async () => {
    const odd = {
      schemaName: 'Odd',
      querySchema: 'Odds',
      __defineGetter__: 'first',
      fields: [
        { name: 'Twin', type: 'String', requiredOn: '__proto__' },
        { name: 'Twin', type: 'Int', requiredOn: 'Insert' },
        { name: 'Third', type: 'String', requiredOn: 'toString' },
      ],
    }
    await control('PUT', '/schemas/Odd', odd)
    await control('POST', '/schemas/publish')
    await control('PUT', '/schemas/Odd', { ...odd, __defineGetter__: 'second' })
    await open(view)
    const changes = console.page.getByRole('region', { name: 'Changes of Odd' })
    await changes.getByRole('row', { name: '__defineGetter__' }).getByText('second').waitFor()
    await console.page.getByText('Fields of Odd').first().click()
    const table = console.page.getByRole('region', { name: /^Fields of Odd/ })
    await expect.poll(() => table.getByRole('row', { name: 'Twin' }).count()).toBe(2)
    await control('DELETE', '/schemas/Odd')
    await control('POST', '/schemas/publish')
    expect(problems).toEqual([])
  })

  it('shows what breaks without a field, and publishes only what was shown', async () => {
    await open(view)
    await button('Edit Category').click()
    await button('Remove SortOrder').click()
    await button('Save draft').click()
    const breaks = console.page.getByRole('region', { name: 'What stops compiling' })
    await breaks.getByText('Category.SortOrder').waitFor()
    await breaks.getByText('field removed').waitFor()
    await breaks.getByText('listCategories', { exact: true }).waitFor()
    await breaks.getByText('CategoryInsertInput', { exact: true }).waitFor()
    const downloading = console.page.waitForEvent('download')
    await button('Download schemas with drafts').click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await downloading).createReadStream())
      chunks.push(chunk as Buffer)
    const listing = JSON.parse(Buffer.concat(chunks).toString()) as readonly Schema[]
    const category = listing.find(({ schemaName }) => schemaName === 'Category')
    expect(fieldsOf(category).has('SortOrder')).toBe(false)
    expect(fieldsOf(category).has('Slug')).toBe(true)

    await button('Publish schemas').click()
    await control('PUT', '/schemas/Note', { schemaName: 'Note' })
    await button('Publish schemas').last().click()
    await console.page.getByText('Someone else changed the drafts.').waitFor()
    await console.page.getByRole('dialog').getByRole('heading', { name: 'Note' }).waitFor()
    expect((await read()).drafts).toHaveLength(2)
    await button('Cancel').click()
    await button('Discard draft Category').click()
    await expect
      .poll(async () => (await read()).drafts.map(({ schemaName }) => schemaName))
      .toEqual(['Note'])
    // The notice of the saved draft can be undone too.
    await console.page.getByText('Discarded.').waitFor()
    await button('Undo').last().click()
    await expect.poll(async () => (await read()).drafts).toHaveLength(2)
    await button('Discard all drafts …').click()
    await console.page.getByText('the drafts of everyone, not only yours').waitFor()
    await button('Discard all').click()
    await expect.poll(async () => (await read()).drafts).toEqual([])
  })

  it('loses neither of two edits of a schema', async () => {
    const other = await console.openWindow()
    const describeField = async (page: Page, field: string, text: string) => {
      await group(field, page).getByText('Description, Access').click()
      await group(field, page).getByRole('textbox', { name: 'Description' }).fill(text)
    }
    await open(view)
    await other.goto(console.page.url())
    for (const page of [console.page, other]) await button('Edit Product', page).click()
    await describeField(console.page, 'Price', 'In cents')
    await describeField(other, 'Stock', 'Pieces')
    await button('Save draft').click()
    await console.page.getByText('The draft is saved.').waitFor()
    await button('Save draft', other).click()
    await other.getByText('Both changes are kept.').waitFor()
    const descriptions = async () => {
      const fields = fieldsOf(await draftOf('Product'))
      return ['Price', 'Stock', 'Sku'].map((name) => fields.get(name)?.description)
    }
    expect(await descriptions()).toEqual(['In cents', 'Pieces', 'Unique per project'])
    // Undo removes only the second change.
    await button('Undo', other).click()
    await other.getByText('The change is undone.').waitFor()
    expect(await descriptions()).toEqual([
      'In cents',
      'Pieces in the store room',
      'Unique per project',
    ])

    // Both change the description of one field, and each another one.
    await console.page.reload()
    for (const page of [console.page, other]) await button('Edit Product', page).click()
    await describeField(console.page, 'Price', 'Theirs')
    await describeField(console.page, 'Sku', 'Their SKU')
    await describeField(other, 'Price', 'Mine')
    await describeField(other, 'Stock', 'My stock')
    await button('Save draft').click()
    await console.page.getByText('The draft is saved.').waitFor()
    await button('Save draft', other).click()
    const conflict = other.getByRole('dialog', { name: 'Two people changed Product' })
    await conflict.getByText('Theirs').last().waitFor()
    await conflict.getByText('Mine').last().waitFor()
    expect(await conflict.getByRole('row').count()).toBe(2)
    expect(await descriptions()).toEqual(['Theirs', 'Pieces in the store room', 'Their SKU'])
    await conflict.getByRole('button', { name: 'Use mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    expect(await descriptions()).toEqual(['Mine', 'My stock', 'Their SKU'])
    await other.close()
  })

  it('fits in 360 px in Arabic and dark', async () => {
    const { schemas } = await read()
    const product = schemas.find(({ schemaName }) => schemaName === 'Product')!
    await control('PUT', '/schemas/Product', { ...product, readAccessLevel: 3, fields: [] })
    await console.page.setViewportSize({ width: 360, height: 800 })
    await open(view)
    await console.page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
    await console.page.getByRole('combobox', { name: 'المظهر' }).selectOption('dark')
    await console.page.getByRole('region', { name: 'ما لن يُترجَم برمجيًا بعد الآن' }).waitFor()
    expect(await violations()).toEqual([])
    const width = () => console.page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBeLessThanOrEqual(360)
    await button('تعديل المسودة Product').click()
    expect(await violations()).toEqual([])
    expect(await width()).toBeLessThanOrEqual(360)
    expect(problems).toEqual([])
  })
})
