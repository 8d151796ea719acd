import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { formFiles } from './form-files.ts'
import { projectKey, useConsole } from './open-console.ts'
import { unsavedPage } from './unsaved-page.ts'

describe.skipIf(isBrowserMissing())('changes that are not saved', { timeout: 180_000 }, () => {
  const console = useConsole()
  const { open } = console
  const { control, page, button, dialog, respond } = unsavedPage(console)
  const act = async (name: string) => {
    await page().getByText('Actions').click()
    await button(name).click()
  }
  const agentId = '5b1e7a90-d2f8-4b6e-8a3f-9d4100000000'
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
    readonly file: string
    readonly path: string
    readonly project?: string
    /** Opens the form, if it is not part of the page. */
    readonly show?: () => Promise<unknown>
    readonly field: string
  }
  const forms: Readonly<Record<string, FormCase>> = {
    'a new schema': {
      file: 'data/schema-dialog.svelte',
      path: '/data',
      show: () => button('New schema').click(),
      field: 'Name of the schema',
    },
    'a schema': {
      file: 'data/schema-dialog.svelte',
      path: '/data',
      show: () => button('Edit Category').click(),
      field: 'Name',
    },
    'a new record': {
      file: 'data/record-dialog.svelte',
      path: '/data/records/Category',
      show: () => button('New record').click(),
      field: 'Name',
    },
    'a tool': {
      file: 'tools/tool-dialog.svelte',
      path: '/tools',
      show: () => page().getByRole('link', { name: 'New tool' }).click(),
      field: 'Name',
    },
    'an agent': { file: 'tools/agents-view.svelte', path: '/tools/agents', field: 'Name' },
    'a question': {
      file: 'tools/knowledge-view.svelte',
      path: '/tools/knowledge',
      field: 'Answer',
    },
    'an organization': {
      file: 'people/organizations-view.svelte',
      path: '/people/organizations',
      field: 'Name',
    },
    'an organization that exists': {
      file: 'people/organization-dialog.svelte',
      path: '/people/organizations',
      show: () => button('Change Storefront').click(),
      field: 'Name',
    },
    'a permission': {
      file: 'people/permission-dialog.svelte',
      path: '/people/permissions',
      show: () => button('New permission').click(),
      field: 'Name',
    },
    'a user': {
      file: 'people/user-dialog.svelte',
      path: '/people',
      show: () => page().getByRole('table').getByRole('link').first().click(),
      field: 'First name',
    },
    'an invitation': {
      file: 'people/invite-dialog.svelte',
      path: '/people',
      show: () => button('Invite user').click(),
      field: 'First name',
    },
    'a role': {
      file: 'people/role-dialog.svelte',
      path: '/people/roles',
      show: () => button('New role').click(),
      field: 'Name',
    },
    'the name of a module': {
      file: 'translations/catalog-row.svelte',
      path: '/translations',
      show: () => act('Languages and modules'),
      field: 'Module common',
    },
    'a webhook': {
      file: 'webhooks/settings-view.svelte',
      path: '/webhooks/settings',
      field: 'URL',
    },
    'a fault': {
      file: 'workbench/faults-view.svelte',
      path: '/workbench/faults',
      field: 'Path; * matches any text',
    },
    'the first language': {
      file: 'overview/first-steps.svelte',
      path: '/',
      project: 'empty',
      field: 'Language code',
    },
    'a new key': {
      file: 'translations/add-dialog.svelte',
      path: '/translations',
      show: () => act('Add a key, module or language'),
      field: 'Key',
    },
    'a comment': {
      file: 'translations/comments-panel.svelte',
      path: '/translations/common/NAV_ABOUT',
      field: 'New comment',
    },
    'a reason': {
      file: 'translations/publish-dialog.svelte',
      path: '/translations',
      show: async () => {
        const draft = { module: 'common', key: 'NAV_ABOUT', language: 'de-DE', value: '{{wrong}}' }
        await control('PUT', '/drafts', [draft])
        await open(`/translations?project=${projectKey}`)
        await button('Publish (1)').click()
      },
      field: 'Reason to publish them nevertheless',
    },
    'a replacement': {
      file: 'translations/replace-dialog.svelte',
      path: '/translations',
      show: () => act('Find and replace'),
      field: 'Find',
    },
  }
  /** Forms with tests of their own in this file. */
  const otherForms = [
    'translations/key-panel.svelte',
    'translations/cell-editor.svelte',
    'translations/translate-message.svelte',
    'data/query-session.svelte.ts',
    'tools/tutorial-panel.svelte',
  ]

  it('belong to a form that this file tests', () => {
    const tested = Object.values(forms).map(({ file }) => file)
    expect([...new Set([...tested, ...otherForms])].toSorted()).toEqual(formFiles())
  })

  it.each(Object.entries(forms))(
    'of %s are asked for, and restored after a crash',
    async (_, one) => {
      const { path, show, field, project = projectKey } = one
      await control('PUT', `/agents/${agentId}`, { name: 'Helper', toolIds: [] })
      const shown = async () => {
        await open(`${path}?project=${project}`)
        await show?.()
        // The page below a dialog may have a field of a similar name.
        const container = show ? dialog() : page().getByRole('main')
        const input = container.getByLabel(field, { exact: true }).first()
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
      await control('DELETE', '/drafts')
    },
  )

  const cell = () => page().getByRole('grid').getByRole('textbox')
  const editFirstCell = async () => {
    await open(`/translations?project=${projectKey}`)
    await page().getByRole('gridcell').first().dblclick()
    await cell().waitFor()
  }

  it('of a cell are asked for, and restored after a crash', async () => {
    await editFirstCell()
    const before = await cell().inputValue()
    await cell().fill('typed in a cell')
    const asked = respond(true)
    await editFirstCell()
    expect(await asked).toBe('beforeunload')
    await page().getByText('Changes that were not saved have been restored.').first().waitFor()
    expect(await cell().inputValue()).toBe('typed in a cell')
    await page().keyboard.press('Escape')
    await editFirstCell()
    expect(await cell().inputValue()).toBe(before)
  })

  it('of the translate view are asked for, and restored after a crash', async () => {
    const text = { module: 'common', key: 'UNSAVED', language: 'en-US', value: 'Not saved' }
    await control('PUT', '/texts', [text])
    const translate = async () => {
      await open(`/translations?project=${projectKey}&search=UNSAVED&translate=de-DE`)
      const field = page().getByRole('textbox', { name: /^UNSAVED, / })
      await field.waitFor()
      return field
    }
    await (await translate()).fill('typed in the view')
    const asked = respond(true)
    const field = await translate()
    expect(await asked).toBe('beforeunload')
    await page().getByText('Changes that were not saved have been restored.').first().waitFor()
    expect(await field.inputValue()).toBe('typed in the view')
    await button('Undo').click()
    await expect.poll(() => field.inputValue()).not.toBe('typed in the view')
  })

  it('of a cell are kept while they cannot be saved', async () => {
    await editFirstCell()
    await cell().fill('typed offline')
    await console.context.setOffline(true)
    await page().keyboard.press('Enter')
    await button('Try again').waitFor()
    await console.context.setOffline(false)
    await editFirstCell()
    expect(await cell().inputValue()).toBe('typed offline')
    await page().keyboard.press('Enter')
    await page().getByText('is saved as a draft.').waitFor()
    await control('DELETE', '/drafts')
    console.takeProblems()
  })

  it('of a form inside a dialog are asked for, and restored after a crash', async () => {
    await control('PUT', '/tools/mail', { name: 'Mail' })
    const openTool = async () => {
      await open(`/tools?project=${projectKey}`)
      await page().getByRole('link', { name: 'Mail', exact: true }).click()
    }
    const tutorial = () => dialog().getByLabel('Tutorial in Markdown')
    await openTool()
    await button('Edit tutorial').click()
    await tutorial().fill('# Steps')
    const asked = respond(false)
    await page().keyboard.press('Escape')
    expect(await asked).toBe('confirm')
    const left = respond(true)
    await openTool()
    expect(await left).toBe('beforeunload')
    expect(await tutorial().inputValue()).toBe('# Steps')
  })

  it('of a query are kept without a question', async () => {
    const variables = () => page().getByLabel('Variables (JSON)')
    await open(`/data/query?project=${projectKey}`)
    await variables().fill('{"page": 2}')
    await page().getByRole('link', { name: 'Files', exact: true }).click()
    await page().getByRole('heading', { name: 'Files', level: 1 }).waitFor()
    await open(`/data/query?project=${projectKey}`)
    expect(await variables().inputValue()).toBe('{"page": 2}')
  })

  it('appear in a list that was opened before "Try again"', async () => {
    await control('PUT', '/agents/lister', { name: 'Lister', toolIds: [] })
    await open(`/tools/agents?project=${projectKey}`)
    await page()
      .getByRole('row', { name: /Lister/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await button('Undo').waitFor()
    await console.context.setOffline(true)
    await button('Undo').click()
    await page().getByText('The platform does not respond.').first().waitFor()
    await console.context.setOffline(false)
    await page().getByRole('link', { name: 'Files', exact: true }).click()
    await page().goBack()
    await page().getByRole('heading', { name: 'New agent' }).waitFor()
    expect(
      await page()
        .getByRole('row', { name: /Lister/ })
        .count(),
    ).toBe(0)
    await button('Try again').click()
    await page()
      .getByRole('row', { name: /Lister/ })
      .waitFor()
    expect(await dialog().count()).toBe(0)
  })
})
