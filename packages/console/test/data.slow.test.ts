import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the data page', { timeout: 120_000 }, () => {
  const console = useConsole({ usesClipboard: true })
  const { open, problems, violations } = console
  const button = (name: string | RegExp) => console.page.getByRole('button', { name, exact: true })
  const records = (name: string) => `/data/records/${name}?project=${projectKey}`
  /** Runs a document as another client. */
  const run = async (query: string, variables: object = {}) => {
    const path = `/_platform/projects/${projectKey}/interface/data/v4/gateway`
    const response = await fetch(`${console.platform.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as { data: Record<string, { items: readonly unknown[] }> }
  }

  it('shows schemas with their fields, and follows relations both ways', async () => {
    await open(`/data?project=${projectKey}`)
    const fields = console.page.getByText(/^Fields of Product /)
    await fields.first().click()
    await console.page
      .getByRole('row', { name: 'CategoryId' })
      .getByRole('link', { name: 'Category' })
      .waitFor()
    expect(await violations()).toEqual([])
    await console.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = async (name: string) => {
      await button(name).first().click()
      return console.page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('Copy as TypeScript')).toContain(
      'listProducts(gateway, {"select":["ItemId",',
    )
    await console.page.getByRole('link', { name: 'Records of Product' }).click()
    const row = console.page
      .getByRole('region', { name: 'Records of Product' })
      .getByRole('row')
      .nth(1)
    // A relation shows the name of the record, once it is read.
    const category = row.getByRole('link').nth(1)
    const id = await category.getAttribute('title')
    await expect.poll(() => category.textContent()).toMatch(/^[A-Z][a-z ]+$/)
    expect(await violations()).toEqual([])
    await category.click()
    const one = console.page
      .getByRole('region', { name: 'Records of Category' })
      .getByRole('row')
      .nth(1)
    await one.getByRole('link', { name: id! }).click()
    await console.page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' }).click()
    const curl = await console.page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toContain(`"ItemId":{"eq":"${id}"}`)
    await console.page.getByRole('link', { name: 'Product with this CategoryId' }).click()
    await console.page.getByText(`CategoryId = ${id}`).waitFor()
    await console.page.getByRole('region', { name: 'Records of Product' }).waitFor()
    expect(problems).toEqual([])
  })

  it('draws the schemas and their relations', async () => {
    await open(`/data?project=${projectKey}`)
    await console.page.getByText('Diagram', { exact: true }).click()
    const diagram = console.page.getByRole('group', { name: 'Schemas and their relations' })
    const order = diagram.getByRole('link', { name: /^Order, / })
    expect(await order.getAttribute('aria-label')).toContain('Customer')
    expect(await diagram.getByRole('link').count()).toBe(
      await console.page.locator('h2[id^="schema-"]').count(),
    )
    expect(await diagram.locator('path').count()).toBeGreaterThan(4)
    expect(await violations()).toEqual([])
    await order.press('Enter')
    await expect.poll(() => new URL(console.page.url()).hash).toBe('#schema-Order')
    expect(problems).toEqual([])
  })

  it('inserts, filters, sorts and pages records', async () => {
    await open(records('Product'))
    await button('New record').click()
    const dialog = console.page.getByRole('dialog')
    for (const [name, text] of [
      ['Name', 'Test cup'],
      ['Price', '12.5'],
      ['Sku', 'TEST-1'],
    ] as const) {
      await dialog.getByRole('textbox', { name, exact: true }).fill(text)
    }
    expect(await violations()).toEqual([])
    await button('Save').click()
    await console.page.getByText('The record is saved.').waitFor()
    await console.page.getByRole('combobox', { name: 'Field to filter by' }).selectOption('Name')
    await console.page.getByRole('combobox', { name: 'Comparison' }).selectOption('contains')
    await console.page.getByRole('textbox', { name: 'Value' }).fill('Test cup')
    await console.page.keyboard.press('Enter')
    const table = console.page.getByRole('region', { name: 'Records of Product' })
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await button('Remove the filter Name contains Test cup').click()
    await expect.poll(() => table.getByRole('row').count()).toBe(26)
    await button('Next').click()
    await console.page.getByText('Page 2').waitFor()
    await table.getByRole('button', { name: 'Price', exact: true }).click()
    await table.getByRole('button', { name: 'Price', exact: true }).click()
    await expect
      .poll(() =>
        table.getByRole('columnheader', { name: 'Price' }).first().getAttribute('aria-sort'),
      )
      .toBe('descending')
    const { data } = await run(
      '{ Products(where: {Sku: {eq: "TEST-1"}}) { items { Name Price } } }',
    )
    expect(data['Products']!.items).toEqual([{ Name: 'Test cup', Price: 12.5 }])
    expect(problems).toEqual([])
  })

  it('edits in place, undoes that, and loses neither of two edits', async () => {
    const { data } = await run(
      '{ Products(paging: {pageNo: 1, pageSize: 1}) { items { ItemId Name } } }',
    )
    const { ItemId, Name } = data['Products']!.items[0] as { ItemId: string; Name: string }
    const filters = encodeURIComponent(
      JSON.stringify([{ field: 'ItemId', operator: 'eq', value: ItemId }]),
    )
    const stored = async () => {
      const found = await run(
        `{ Products(where: {ItemId: {eq: "${ItemId}"}}) { items { Name Stock } } }`,
      )
      return found.data['Products']!.items[0] as { Name: string; Stock: number }
    }
    const change = (input: string) =>
      run(
        `mutation { updateProduct(where: {ItemId: {eq: "${ItemId}"}}, input: ${input}) { acknowledged } }`,
      )
    await open(`${records('Product')}&filters=${filters}`)
    const edit = console.page.getByRole('textbox', { name: 'Edit Name' })
    await button(Name).click()
    await edit.fill('Renamed')
    // Someone else changes another field: both changes are kept.
    await change('{ Stock: 77 }')
    await edit.press('Enter')
    await console.page.getByText('The record is saved.').waitFor()
    expect(await stored()).toEqual({ Name: 'Renamed', Stock: 77 })
    await button('Undo').click()
    await console.page.getByText('The change is undone.').waitFor()
    expect((await stored()).Name).toBe(Name)

    await button(Name).click()
    await edit.fill('Mine')
    await change('{ Name: "Theirs" }')
    await edit.press('Enter')
    const dialog = console.page.getByRole('dialog')
    await dialog.getByText('Theirs', { exact: true }).waitFor()
    await dialog.getByText('Mine', { exact: true }).waitFor()
    expect(await violations()).toEqual([])
    expect((await stored()).Name).toBe('Theirs')
    await dialog.getByRole('button', { name: 'Use mine' }).click()
    await expect.poll(async () => (await stored()).Name).toBe('Mine')

    // Undoing overwrites nothing of others either.
    await console.page.getByText('The record is saved.').last().waitFor()
    await change('{ Name: "Third" }')
    await button('Undo').last().click()
    await dialog.getByText('Third', { exact: true }).waitFor()
    expect((await stored()).Name).toBe('Third')
    await dialog.getByRole('button', { name: 'Use mine' }).click()
    await expect.poll(async () => (await stored()).Name).toBe('Theirs')
    await change('{ Name: "Mine" }')
    await console.page.getByRole('button', { name: 'Refresh' }).click()

    // Without a connection the text stays in the editor.
    await button('Mine').click()
    await edit.fill('Later')
    await console.context.setOffline(true)
    await edit.press('Enter')
    await button('Try again').waitFor()
    expect(await edit.inputValue()).toBe('Later')
    await console.context.setOffline(false)
    await button('Try again').click()
    await expect.poll(async () => (await stored()).Name).toBe('Later')
  })

  it('deletes records at once, and inserts them again', async () => {
    const all = async () => {
      const document =
        '{ Categories(order: [{field: "ItemId"}], paging: {pageNo: 1, pageSize: 100}) { items { ItemId Name Slug SortOrder ParentId Tags } } }'
      return (await run(document)).data['Categories']!.items
    }
    const before = await all()
    await open(records('Category'))
    const boxes = console.page.getByRole('checkbox', { name: /^Select [0-9a-f]{8}-/ })
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await button('Delete records: 2 …').click()
    await console.page.getByText('inserts them again').waitFor()
    expect(await violations()).toEqual([])
    await button('Delete 2 of Category').click()
    await console.page.getByText('Deleted records: 2').waitFor()
    expect(await all()).toHaveLength(before.length - 2)
    await button('Undo').click()
    await console.page.getByText('The change is undone.').waitFor()
    expect(await all()).toEqual(before)
    expect(problems).toEqual([])
  })

  const csv = (text: string) => ({
    name: 'categories.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  const table = (name: string) => console.page.getByRole('region', { name: `Records of ${name}` })

  it('imports a CSV file, all records or none', async () => {
    await open(records('Category'))
    await button('Import CSV').click()
    const dialog = console.page.getByRole('dialog')
    const file = dialog.getByLabel('CSV file')
    const save = dialog.getByRole('button', { name: /^Import records: / })
    await file.setInputFiles(csv('Titel;sort order;Other\nPlates;1;x\nTrays;many;y\n'))
    await dialog.getByText('Choose a column for: Name.').waitFor()
    await dialog.getByLabel('Field for Titel').selectOption('Name')
    await dialog.getByText('Line 3: SortOrder must be a value of the type Int.').waitFor()
    expect(await save.isDisabled()).toBe(true)
    expect(await violations()).toEqual([])
    await file.setInputFiles(csv('ItemId,Name\nimported-1,Plates\nimported-1,Trays\n'))
    await dialog.getByText('Line 3: ItemId: imported-1 occurs twice.').waitFor()
    await file.setInputFiles(
      csv('ItemId,Name,SortOrder\nimported-1,Plates,901\nimported-2,Trays,902\n'),
    )
    await dialog.getByRole('cell', { name: 'Plates' }).waitFor()
    expect(await violations()).toEqual([])
    await save.click()
    await console.page.getByText('Imported records: 2').waitFor()
    const { data } = await run(
      '{ Categories(where: {SortOrder: {gt: 900}}) { items { ItemId Name } } }',
    )
    expect(data['Categories']!.items).toEqual([
      { ItemId: 'imported-1', Name: 'Plates' },
      { ItemId: 'imported-2', Name: 'Trays' },
    ])
    // What is there already is not inserted again.
    await button('Import CSV').click()
    await file.setInputFiles(csv('ItemId,Name\nimported-3,Mats\nimported-2,Trays\n'))
    await dialog.getByText('Line 3: ItemId: there is a Category imported-2 already.').waitFor()
    expect(await save.isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(problems).toEqual([])
  })

  it('counts, exports and deletes all records of a filter', async () => {
    const filters = [{ field: 'SortOrder', operator: 'gt', value: 900 }]
    await open(`${records('Category')}&filters=${encodeURIComponent(JSON.stringify(filters))}`)
    await table('Category').getByRole('link', { name: 'imported-1' }).waitFor()
    const started = console.page.waitForEvent('download')
    await button('Export CSV').click()
    const stream = await (await started).createReadStream()
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString().trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(/^imported-1,.*Plates/)
    await button('Count').click()
    await console.page.getByText('Matching records: 2', { exact: true }).waitFor()
    await button('Delete all matching records: 2 …').click()
    await console.page.getByText('Every record of Category that matches the filter').waitFor()
    expect(await violations()).toEqual([])
    await button('Delete 2 of Category').click()
    await console.page.getByText('Deleted records: 2').waitFor()
    await console.page.getByText('No record matches.').waitFor()
    const { data } = await run('{ Categories(where: {SortOrder: {gt: 900}}) { items { ItemId } } }')
    expect(data['Categories']!.items).toEqual([])
    expect(problems).toEqual([])
  })

  it('moves nothing when a record is selected or edited, and undoes with the keyboard', async () => {
    await open(records('Product'))
    const cells = table('Product').getByRole('row').nth(2).getByRole('cell')
    await table('Product').getByRole('link', { name: 'Mugs and cups' }).first().waitFor()
    const places = async () => {
      const boxes = (await cells.all()).map((cell) => cell.boundingBox())
      return (await Promise.all(boxes)).map((box) => [Math.round(box!.x), Math.round(box!.y)])
    }
    const before = await places()
    await console.page
      .getByRole('checkbox', { name: /^Select [0-9a-f]{8}-/ })
      .first()
      .check()
    await button('Delete records: 1 …').waitFor()
    expect(await places()).toEqual(before)
    const row = table('Product').getByRole('row').nth(1)
    const number = row.getByRole('button', { name: /^\d+$/ }).first()
    const text = await number.innerText()
    await number.click()
    const edit = console.page.getByRole('textbox', { name: /^Edit / })
    await edit.waitFor()
    expect(await places()).toEqual(before)
    await edit.fill('4321')
    await edit.press('Enter')
    await console.page.getByText('The record is saved.').waitFor()
    // In a field, the key undoes typing.
    await edit.waitFor({ state: 'detached' })
    await console.page.keyboard.press('Control+Z')
    await console.page.getByText('The change is undone.').waitFor()
    await row.getByRole('button', { name: text, exact: true }).first().waitFor()
    expect(problems).toEqual([])
  })

  it('offers the records that a field refers to by their names', async () => {
    await open(records('Product'))
    await table('Product').getByRole('button', { name: 'Edit CategoryId' }).first().click()
    const field = console.page.getByRole('combobox', { name: 'Edit CategoryId' })
    await field.fill('Bowl')
    const option = console.page.locator('datalist option', { hasText: 'Bowls' })
    await option.waitFor({ state: 'attached' })
    await field.fill((await option.getAttribute('value'))!)
    await field.press('Enter')
    await console.page.getByText('The record is saved.').waitFor()
    await table('Product').getByRole('row').nth(1).getByRole('link', { name: 'Bowls' }).waitFor()
    await button('Undo').click()
    await console.page.getByText('The change is undone.').waitFor()
    expect(problems).toEqual([])
  })

  describe('queries', () => {
    const result = () => console.page.getByRole('region', { name: 'Result' }).locator('pre')
    const editor = () => console.page.getByRole('textbox', { name: 'Query', exact: true })
    /** Replaces the query with typed text. */
    const type = async (text: string) => {
      await editor().press('Control+A')
      await console.page.keyboard.insertText(text)
    }
    const openEditor = async () => {
      await open(`/data/query?project=${projectKey}`)
      await console.page.locator('.cm-content').waitFor()
    }

    it('completes, underlines unknown fields, and runs with variables', async () => {
      await openEditor()
      await editor().press('Control+A')
      await console.page.keyboard.type('{ Catego')
      const completion = console.page.getByRole('option', { name: 'Categories' })
      // The schema arrives after the editor.
      await expect
        .poll(async () => {
          await editor().press('Control+Space')
          if (await completion.isVisible()) await completion.click()
          return editor().textContent()
        })
        .toMatch(/^\{ Categories/)
      expect(await violations()).toEqual([])

      await type('query One { Categories { items { Nam } } }')
      await console.page.locator('.cm-lintRange-error', { hasText: 'Nam' }).waitFor()
      await editor().press('F8')
      await console.page.getByText('Cannot query field "Nam"').waitFor()
      await editor().press('Control+Enter')
      const place = button('at 1:34')
      await place.waitFor()
      expect(await violations()).toEqual([])

      await type(
        'query One($id: String) {\n  Categories(where: {Slug: {eq: $id}}) { items { Name } }\n}',
      )
      await console.page.getByLabel('Variables (JSON)').fill('{"id": "bowls"}')
      await console.page.getByLabel('Variables (JSON)').press('Control+Enter')
      await result().getByText('"Name": "Bowls"').waitFor()
      expect(await place.count()).toBe(0)
      expect(await violations()).toEqual([])
      expect(problems).toEqual([])
    })

    it('sends a mutation, copies it, and runs an earlier query again', async () => {
      await console.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const copied = () => console.page.evaluate(() => navigator.clipboard.readText())
      await openEditor()
      await type('{ Categories(where: {Slug: {eq: "bowls"}}) { items { SortOrder } } }')
      await editor().press('Control+Enter')
      await result().getByText('"SortOrder"').waitFor()
      await type(
        'mutation Sort($to: Int) { updateCategory(where: {Slug: {eq: "bowls"}}, input: {Name: "Bowls", SortOrder: $to}) { acknowledged } }',
      )
      await console.page.getByLabel('Variables (JSON)').fill('{"to": 4711}')
      await button('Run').click()
      await result().getByText('"acknowledged": true').waitFor()
      await button('Copy as curl').click()
      await expect.poll(copied).toContain(`/data/v4/gateway' \\\n`)
      expect(await copied()).toContain('"variables":{"to":4711}')
      await button('Copy as TypeScript').click()
      await expect
        .poll(copied)
        .toMatch(
          /^import \{ createClient \}[^]*const result = await client\.data\.execute\(\{.*4711/,
        )

      // The history outlives a look at another tab.
      await console.page.getByRole('link', { name: 'Schemas' }).click()
      await console.page.getByRole('link', { name: 'Query', exact: true }).click()
      await console.page.getByText('Queries of this visit').click()
      await button(/^\{ Categories/).click()
      await button('Run').click()
      await result().getByText('"SortOrder": 4711').waitFor()
      expect(problems).toEqual([])
    })

    it('works in a text area without the editor', async () => {
      await console.page.route(/query-editor-[^/]*\.js$/, (route) => route.abort())
      await open(`/data/query?project=${projectKey}`)
      await console.page.getByText('The editor or the schema could not be loaded.').waitFor()
      await editor().fill('{ Categories { items { Nam } } }')
      await editor().press('Control+Enter')
      await button('at 1:24').click()
      expect(await editor().evaluate((area) => area === document.activeElement)).toBe(true)
      await editor().fill('{ Categories(where: {Slug: {eq: "bowls"}}) { items { Name } } }')
      await button('Run').click()
      await result().getByText('"Name": "Bowls"').waitFor()
      expect(await violations()).toEqual([])
    })
  })

  it('fits in 360 px in Arabic and dark', async () => {
    await console.page.setViewportSize({ width: 360, height: 800 })
    await open(records('Order'))
    await console.page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
    await console.page.getByRole('combobox', { name: 'المظهر' }).selectOption('dark')
    await console.page.getByRole('region', { name: 'سجلات Order' }).waitFor()
    expect(await violations()).toEqual([])
    const width = await console.page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
    expect(problems).toEqual([])
  })
})
