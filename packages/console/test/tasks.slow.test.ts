import { startPlatform, type StartedPlatform } from '@servicekit/platform/node'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withConsole } from '../src/server/index.ts'
import { findViolations, projectKey } from './open-console.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const controlToken = 'the control token of this test'
const password = 'a horse of a battery'

const consoleRoles = {
  german: { role: 'translator', languages: ['de-DE'] },
  proofreading: { role: 'reviewer', languages: ['de-DE'] },
  localization: { role: 'manager' },
  engineering: { role: 'developer' },
}
const slugs = Object.keys(consoleRoles)

describe.skipIf(isBrowserMissing())('a team in the console', { timeout: 180_000 }, () => {
  let platform: StartedPlatform
  let browser: Browser
  const control = async (method: string, path: string, body?: object) => {
    const url = `${platform.baseUrl}/_platform/projects/${projectKey}${path}`
    const headers = { authorization: `Bearer ${controlToken}` }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(url, init)
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return (text === '' ? undefined : JSON.parse(text)) as unknown
  }
  beforeAll(async () => {
    platform = await startPlatform({
      projectDir: storefront,
      controlToken,
      wrap: (started) => withConsole(started),
    })
    await control('PUT', '/identity', {
      settings: { administratorRoles: ['admin'], consoleRoles },
      clients: [{ clientId: 'console', redirectUris: [`${platform.baseUrl}/console/signed-in`] }],
      roles: slugs.map((slug) => ({ slug })),
      users: slugs.map((slug) => ({
        email: `${slug}@storefront.example`,
        firstName: slug[0]!.toUpperCase() + slug.slice(1),
        lastName: 'Person',
        password,
        roles: [slug],
      })),
    })
    browser = await launchBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await platform?.close()
  })

  const problems: string[] = []
  /** Signs a user in, in a window of its own. */
  async function enter(name: string): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${platform.baseUrl}/console/?project=${projectKey}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[name=username]').fill(`${name}@storefront.example`)
    await page.locator('input[name=password]').fill(password)
    await page.getByRole('button').first().click()
    await page.getByRole('navigation').waitFor()
    problems.length = 0
    return page
  }
  const open = (page: Page, path: string) =>
    page.goto(`${platform.baseUrl}/console${path}?project=${projectKey}`)
  const link = (page: Page, name: RegExp) => page.getByRole('link', { name })
  const key = 'NAV_ABOUT'
  const translations = (page: Page) =>
    page.getByRole('complementary').getByRole('region', { name: `Comments on ${key}` })

  it('a comment mentions somebody, who finds it among the tasks, responds and resolves it', async () => {
    const translator = await enter('german')
    await open(translator, `/translations/common/${key}`)
    const comments = translations(translator)
    await comments.getByText('No comments.').waitFor()
    const field = comments.getByLabel('New comment')
    await field.fill('Is this a button, @eng')
    await comments.getByRole('button', { name: '@Engineering Person' }).click()
    expect(await field.inputValue()).toBe('Is this a button, @Engineering Person ')
    await translator.keyboard.type('or <b>text</b>?')
    await comments.getByRole('button', { name: 'Comment', exact: true }).click()
    await comments.getByText('or <b>text</b>?').waitFor()
    expect(await field.inputValue()).toBe('')
    expect(await findViolations(translator)).toEqual([])

    const developer = await enter('engineering')
    await link(developer, /^Tasks 1 waiting$/).click()
    await link(developer, /^Mentions \(1\)$/).click()
    const row = developer.getByRole('row').filter({ hasText: 'Is this a button' })
    await row.getByText('German Person').waitFor()
    expect(await findViolations(developer)).toEqual([])
    await row.getByRole('link', { name: key }).click()
    const thread = translations(developer)
    // The link shows exactly that comment.
    await thread.locator('li[aria-current=true]', { hasText: 'Is this a button' }).waitFor()
    await thread.getByLabel('New comment').fill('It is a link.')
    await thread.getByRole('button', { name: 'Comment', exact: true }).click()
    await thread.getByText('It is a link.').waitFor()
    const question = thread.getByRole('listitem').filter({ hasText: 'Is this a button' })
    // Others remove their own comments only.
    expect(await question.getByRole('button').allInnerTexts()).toEqual(['Resolve'])
    await question.getByRole('button', { name: 'Resolve' }).click()
    await question.getByText('resolved').waitFor()
    await link(developer, /^Tasks$/).waitFor()
    await link(developer, /^Tasks$/).click()
    await link(developer, /^Mentions \(0\)$/).click()
    await developer.getByText('No open comment mentions you.').waitFor()
    expect(problems).toEqual([])
    await translator.context().close()
    await developer.context().close()
  })

  it('an author changes and removes a comment, and others see that', async () => {
    const author = await enter('german')
    await open(author, '/translations/common/NAV_CART')
    const thread = (page: Page) =>
      page.getByRole('complementary').getByRole('region', { name: 'Comments on NAV_CART' })
    const field = thread(author).getByLabel('New comment')
    await field.fill('The basket?')
    await thread(author).getByRole('button', { name: 'Comment', exact: true }).click()
    await thread(author).getByRole('button', { name: 'Edit' }).click()
    await thread(author).getByLabel('Text of the comment').fill('The cart?')
    expect(await findViolations(author)).toEqual([])
    await thread(author).getByRole('button', { name: 'Save comment' }).click()
    await thread(author).getByText('The cart?').waitFor()

    const reader = await enter('engineering')
    await reader.goto(
      `${platform.baseUrl}/console/translations?project=${projectKey}&people=comments`,
    )
    await reader.getByRole('rowheader').getByRole('link', { name: 'NAV_CART' }).click()
    const seen = thread(reader).getByRole('listitem').filter({ hasText: 'The cart?' })
    await seen.getByText('edited').waitFor()
    expect(await seen.getByRole('button').allInnerTexts()).toEqual(['Resolve'])

    await thread(author).getByRole('button', { name: 'Remove' }).click()
    await thread(author).getByText('Removed by German Person').waitFor()
    await reader.reload()
    await thread(reader).getByText('Removed by German Person').waitFor()
    expect(await thread(reader).getByText('The cart?').count()).toBe(0)
    expect(await findViolations(reader)).toEqual([])
    await reader.goto(
      `${platform.baseUrl}/console/translations?project=${projectKey}&people=comments`,
    )
    await reader.getByRole('rowheader').first().waitFor()
    expect(await reader.getByRole('rowheader').allInnerTexts()).not.toContain('NAV_CART')
    expect(problems).toEqual([])
    await author.context().close()
    await reader.context().close()
  })

  it('a manager assigns selected messages with a date, and the translator does them', async () => {
    const manager = await enter('localization')
    await manager.goto(`${platform.baseUrl}/console/translations?project=${projectKey}&search=NAV_`)
    await manager.getByRole('gridcell').first().waitFor()
    const chosen = ['NAV_ABOUT', 'NAV_CART']
    for (const name of chosen) await manager.getByLabel(`Select ${name}`, { exact: true }).click()
    await manager.getByRole('button', { name: 'Assign', exact: true }).click()
    const dialog = manager.getByRole('dialog', { name: 'Assign' })
    await dialog.getByLabel('Person').selectOption('German Person')
    // Only the languages of that person.
    expect(await dialog.getByRole('checkbox').count()).toBe(1)
    await dialog.getByLabel('Until').fill('2020-12-24')
    expect(await findViolations(manager)).toEqual([])
    await dialog.getByRole('button', { name: 'Assign 2 translations' }).click()
    await manager.getByText('2 assignments have changed.').waitFor()

    const translator = await enter('german')
    await link(translator, /^Tasks 2 waiting$/).click()
    await link(translator, /^Assigned \(2\)$/).waitFor()
    const rows = translator.getByRole('row').filter({ hasText: 'overdue since Dec 24, 2020' })
    await rows.first().waitFor()
    expect(await rows.count()).toBe(2)
    expect(await findViolations(translator)).toEqual([])
    await translator.getByRole('button', { name: 'Mark as done NAV_CART' }).click()
    await link(translator, /^Tasks 1 waiting$/).waitFor()
    await rows.getByRole('link', { name: 'NAV_ABOUT' }).click()
    const panel = translator.getByRole('complementary')
    await panel.getByText('de-DE: German Person').waitFor()
    await panel.getByRole('textbox', { name: /German/ }).fill('Wer wir sind')
    await panel.getByRole('button', { name: 'Save as draft' }).click()
    await translator.getByText('NAV_ABOUT (de-DE) is saved as a draft.').waitFor()
    await open(translator, '/tasks')
    await translator.getByText('No translation is assigned to you.').waitFor()

    const reviewer = await enter('proofreading')
    await link(reviewer, /^Tasks 1 waiting$/).click()
    await link(reviewer, /^To review \(1\)$/).click()
    await reviewer.getByRole('cell', { name: 'Wer wir sind' }).waitFor()
    expect(await findViolations(reviewer)).toEqual([])
    expect(problems).toEqual([])
    for (const page of [manager, translator, reviewer]) await page.context().close()
  })

  it('translations whose source text changed wait for a review, and managers turn on mails', async () => {
    const manager = await enter('localization')
    const source = { module: 'common', key, language: 'en-US', value: 'About our shop' }
    await control('PUT', '/drafts', [source])
    await open(manager, '/tasks/needs-review')
    await manager.getByRole('row').filter({ hasText: 'About our shop' }).first().waitFor()
    expect(await findViolations(manager)).toEqual([])
    const option = manager.getByLabel('Send people mails about mentions and assignments')
    await option.check()
    await expect.poll(() => control('GET', '/notifications')).toEqual({ byMail: true })
    await manager.reload()
    await option.waitFor()
    expect(await option.isChecked()).toBe(true)
    expect(problems).toEqual([])
    await manager.context().close()
  })
})
