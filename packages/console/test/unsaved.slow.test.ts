import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('changes that are not saved', { timeout: 180_000 }, () => {
  const console = useConsole()
  const { open } = console
  const control = async (method: string, path: string, body?: object) => {
    const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
    const headers = { 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await (await fetch(url, init)).json().catch(() => undefined)) as unknown
  }
  const page = () => console.page
  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const dialog = () => page().getByRole('dialog')
  /** Responds to the next question; resolves with its kind. */
  const respond = (isAccepted: boolean) =>
    new Promise<string>((resolve) => {
      page().once('dialog', (question) => {
        resolve(question.type())
        void (isAccepted ? question.accept() : question.dismiss())
      })
    })
  const german = () =>
    page()
      .getByRole('complementary')
      .getByRole('textbox', { name: /German/ })

  it('are kept in the key panel until the user discards them', async () => {
    await open(`/translations?project=${projectKey}`)
    await page().getByRole('gridcell').first().waitFor()
    await page().evaluate((project) => {
      const link = document.createElement('a')
      link.href = `/console/translations/common/NAV_ABOUT?project=${project}`
      document.querySelector('.console')!.append(link)
      link.click()
      link.remove()
    }, projectKey)
    await german().fill('Wer wir sind')
    const leave: Readonly<Record<string, () => Promise<unknown>>> = {
      close: () => page().getByRole('complementary').getByRole('button', { name: 'Close' }).click(),
      navigation: () => page().getByRole('link', { name: 'Files', exact: true }).click(),
      back: () => page().goBack(),
      reload: () =>
        page()
          .reload({ timeout: 2000 })
          .catch(() => undefined),
    }
    for (const [name, act] of Object.entries(leave)) {
      const asked = respond(false)
      await act()
      expect(await asked, name).toBe(name === 'reload' ? 'beforeunload' : 'confirm')
      expect(await german().inputValue(), name).toBe('Wer wir sind')
    }
    const asked = respond(true)
    await leave['navigation']!()
    expect(await asked).toBe('confirm')
    await page().getByRole('heading', { name: 'Files', level: 1 }).waitFor()
    await open(`/translations/common/NAV_ABOUT?project=${projectKey}`)
    expect(await german().inputValue()).not.toBe('Wer wir sind')
  })

  it('are not asked for once they are saved', async () => {
    await open(`/translations/common/NAV_ABOUT?project=${projectKey}`)
    await german().fill('Über uns alle')
    await button('Save as draft').click()
    await page().getByText('NAV_ABOUT (de-DE) is saved as a draft.').waitFor()
    await page().getByRole('link', { name: 'Files', exact: true }).click()
    await page().getByRole('heading', { name: 'Files', level: 1 }).waitFor()
    expect(await control('GET', '/drafts')).toMatchObject([{ value: 'Über uns alle' }])
    await control('DELETE', '/drafts')
  })

  interface FormCase {
    readonly path: string
    /** Opens the form, if it is not part of the page. */
    readonly show?: () => Promise<unknown>
    readonly field: string
  }
  const forms: Readonly<Record<string, FormCase>> = {
    'a new schema': {
      path: '/data',
      show: () => button('New schema').click(),
      field: 'Name of the schema',
    },
    'a schema': {
      path: '/data',
      show: () => button('Edit Category').click(),
      field: 'Name',
    },
    'a new record': {
      path: '/data/records/Category',
      show: () => button('New record').click(),
      field: 'Name',
    },
    'a tool': {
      path: '/tools',
      show: () => page().getByRole('link', { name: 'New tool' }).click(),
      field: 'Name',
    },
    'an agent': { path: '/tools/agents', field: 'Name' },
    'an organization': { path: '/people/organizations', field: 'Name' },
    'an invitation': { path: '/people', show: () => button('Invite user').click(), field: 'Email' },
    'a webhook': { path: '/webhooks/settings', field: 'URL' },
  }

  it.each(Object.entries(forms))(
    'of %s are asked for, and restored after a crash',
    async (_, one) => {
      const { path, show, field } = one
      const shown = async () => {
        await open(`${path}?project=${projectKey}`)
        await show?.()
        const input = page().locator('dialog, main').last().getByLabel(field).first()
        await input.waitFor()
        return input
      }
      const input = await shown()
      await input.fill('https://typed.example')
      let asked = respond(false)
      if (show) await page().keyboard.press('Escape')
      else await page().getByRole('link', { name: 'Files', exact: true }).click()
      expect(await asked).toBe('confirm')
      expect(await input.inputValue()).toBe('https://typed.example')
      asked = respond(true)
      const again = await shown()
      expect(await asked).toBe('beforeunload')
      await page().getByText('Changes that were not saved have been restored.').first().waitFor()
      expect(await again.inputValue()).toBe('https://typed.example')
      await button('Undo').click()
      await expect.poll(() => again.inputValue()).not.toBe('https://typed.example')
    },
  )

  it('survive the end of the session, and a sign-in in another tab', async () => {
    await open(`/translations/common/NAV_ABOUT?project=${projectKey}`)
    await german().fill('Nach der Anmeldung')
    await page().route(/\/console\/api\/(?:projects|refresh)/, (route) =>
      route.fulfill({ status: 401, json: { title: 'Sign in to use the console.' } }),
    )
    await button('Save as draft').click()
    await page().getByText('Your session has ended.').waitFor()
    const opened = console.context.waitForEvent('page')
    await page().getByRole('link', { name: 'Sign in' }).click()
    const tab = await opened
    await tab.close()
    await page().unroute(/\/console\/api\/(?:projects|refresh)/)
    await page().evaluate(() => dispatchEvent(new Event('focus')))
    await page().getByText('Your session has ended.').waitFor({ state: 'detached' })
    expect(await german().inputValue()).toBe('Nach der Anmeldung')
    await button('Try again').click()
    await page().getByText('NAV_ABOUT (de-DE) is saved as a draft.').waitFor()
    await control('DELETE', '/drafts')
  })

  it('appear in a list that was opened before "Try again"', async () => {
    await control('PUT', '/agents/helper', { name: 'Helper', toolIds: [] })
    await open(`/tools/agents?project=${projectKey}`)
    await page()
      .getByRole('row', { name: /Helper/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await console.context.setOffline(true)
    await button('Undo').click()
    await page().getByText('The platform does not respond.').first().waitFor()
    await console.context.setOffline(false)
    await page().getByRole('link', { name: 'Files', exact: true }).click()
    await page().goBack()
    await page().getByRole('heading', { name: 'New agent' }).waitFor()
    expect(
      await page()
        .getByRole('row', { name: /Helper/ })
        .count(),
    ).toBe(0)
    await button('Try again').click()
    await page()
      .getByRole('row', { name: /Helper/ })
      .waitFor()
    expect(await dialog().count()).toBe(0)
  })
})
