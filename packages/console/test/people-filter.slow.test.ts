import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the grid of translations', { timeout: 120_000 }, () => {
  const console = useConsole()
  const { open, problems, violations } = console
  const control = async (method: string, path: string, body?: object) => {
    const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
    const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
    expect(response.status, path).toBeLessThan(300)
    return (await response.json()) as unknown
  }
  const keys = () => console.page.getByRole('rowheader').allInnerTexts()
  const people = () => console.page.getByRole('combobox', { name: 'People' })
  const headers = () => console.page.getByRole('columnheader').allInnerTexts()

  it('shows what is assigned to a person, or to nobody, and what has open comments', async () => {
    const all = (await control('GET', '/people')) as { id: string; name: string }[]
    const [person] = all
    await control('PUT', '/assignments', {
      keys: [{ module: 'common', key: 'NAV_ABOUT' }],
      languages: ['de-DE'],
      person: person!.id,
      due: null,
    })
    await control('POST', '/comments', { module: 'common', key: 'NAV_CART', text: 'Why?' })
    await open(`/translations?project=${projectKey}&search=NAV_`)
    await console.page.getByRole('gridcell').first().waitFor()
    const shown = (await keys()).length
    await people().selectOption(`assigned:${person!.id}`)
    await expect.poll(keys).toEqual([expect.stringContaining('NAV_ABOUT')])
    expect(await violations()).toEqual([])
    await console.page
      .getByRole('combobox', { name: 'Language of the filter' })
      .selectOption('fr-FR')
    await console.page.getByText('No key matches').waitFor()
    await console.page.getByRole('combobox', { name: 'Language of the filter' }).selectOption('')
    await people().selectOption('nobody')
    await expect.poll(async () => (await keys()).length).toBe(shown - 1)
    await people().selectOption('comments')
    await expect.poll(keys).toEqual([expect.stringContaining('NAV_CART')])
    // The address keeps the filter.
    await console.page.reload()
    await expect.poll(keys).toEqual([expect.stringContaining('NAV_CART')])
    expect(problems).toEqual([])
  })

  it('shows the columns that the user chooses, and that of the filter first', async () => {
    await open(`/translations?project=${projectKey}`)
    await console.page.getByRole('gridcell').first().waitFor()
    const before = await headers()
    await console.page.getByText('Columns', { exact: true }).click()
    await console.page.getByRole('checkbox', { name: before[2]!, exact: true }).uncheck()
    expect(await violations()).toEqual([])
    await console.page.keyboard.press('Escape')
    await expect.poll(headers).toEqual(before.filter((_, at) => at !== 2))
    await console.page.reload()
    await expect.poll(headers).toEqual(before.filter((_, at) => at !== 2))
    const last = before.length - 1
    await console.page
      .getByRole('combobox', { name: 'Filter', exact: true })
      .selectOption('missing')
    await console.page
      .getByRole('combobox', { name: 'Language of the filter' })
      .selectOption({ label: before[last]! })
    await expect.poll(async () => (await headers())[2]).toBe(before[last])
    await console.page.getByText('Columns', { exact: true }).click()
    await console.page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(async () => (await headers()).toSorted()).toEqual(before.toSorted())
    expect(problems).toEqual([])
  })

  it('fits in 360 px with its filters', async () => {
    await console.page.setViewportSize({ width: 360, height: 800 })
    await open(`/translations?project=${projectKey}`)
    await console.page.getByRole('gridcell').first().waitFor()
    await console.page.getByText('Columns', { exact: true }).click()
    const menu = await console.page.locator('details.columns > div').boundingBox()
    expect(menu!.x).toBeGreaterThanOrEqual(0)
    expect(menu!.x + menu!.width).toBeLessThanOrEqual(360)
    expect(await violations()).toEqual([])
    const width = await console.page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
    expect(problems).toEqual([])
  })
})
