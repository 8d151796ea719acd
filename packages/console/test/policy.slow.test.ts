import { isBrowserMissing } from '@servicekit/testing/browser'
import type { CDPSession } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('content security policy', { timeout: 120_000 }, () => {
  const console = useConsole()

  type Edit = (session: CDPSession) => Promise<unknown>
  const press = (key: string) => console.page.keyboard.press(key)
  const type = () => console.page.keyboard.type('{ a }')
  const compose: Edit = async (session) => {
    for (const text of ['に', 'にほ']) {
      const end = text.length
      await session.send('Input.imeSetComposition', {
        text,
        selectionStart: end,
        selectionEnd: end,
      })
    }
    await session.send('Input.insertText', { text: '日本' })
  }
  const edits: Readonly<Record<string, Edit>> = {
    'inserts text': (session) => session.send('Input.insertText', { text: '{ a }' }),
    types: type,
    composes: compose,
    'deletes and types': () => press('Backspace').then(type),
    'deletes and composes': (session) => press('Delete').then(() => compose(session)),
    'cuts and composes': (session) => press('Control+X').then(() => compose(session)),
    'cuts and pastes': () => press('Control+X').then(() => press('Control+V')),
    // As virtual keyboards do, which name no key.
    'joins lines': (session) => split().then(() => command(session, 'deleteBackward')),
    'joins lines forwards': (session) =>
      split().then(() => press('ArrowLeft').then(() => command(session, 'deleteForward'))),
    'deletes a word': (session) =>
      press('ArrowRight').then(() => command(session, 'deleteWordBackward')),
    'pastes HTML': () =>
      console.page.locator('.cm-content').evaluate((element) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', '<p style="color: red">{ a }</p>')
        clipboardData.setData('text/plain', '{ a }')
        const options = { clipboardData, bubbles: true, cancelable: true }
        element.dispatchEvent(new ClipboardEvent('paste', options))
      }),
  }
  const split = () => press('ArrowLeft').then(() => press('Enter'))
  const command = (session: CDPSession, name: string) =>
    session.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Unidentified',
      commands: [name],
    })
  const expected: Readonly<Record<string, string>> = {
    composes: '日本',
    'deletes and composes': '日本',
    'cuts and composes': '日本',
    'cuts and pastes': 'query A($a: Int) { a }',
    'joins lines': 'query A($a: Int) { a }',
    'joins lines forwards': 'query A($a: Int) { a }',
    'deletes a word': 'query A($a: Int) { a ',
  }

  // A busy browser announces a selection only after the edit that replaces it.
  describe.each([true, false])('of a query, with a selection announced late: %s', (isLate) => {
    it.each(Object.entries(edits))('applies no inline style if one %s', async (name, edit) => {
      await console.page.addInitScript(() => {
        addEventListener(
          'selectionchange',
          (event) => {
            const isHeld = document.documentElement.classList.contains('late')
            if (event.isTrusted && isHeld) event.stopImmediatePropagation()
          },
          true,
        )
      })
      await console.open(`/data/query?project=${projectKey}`)
      const editor = console.page.locator('.cm-content')
      await editor.press('Control+A')
      await console.page.keyboard.insertText('query A($a: Int) { a }')
      // CodeMirror selects again what it knows as selected when it marks the unknown field.
      await editor.locator('.cm-lintRange').first().waitFor()
      await editor.evaluate((element, held) => {
        document.documentElement.classList.toggle('late', held)
        getSelection()!.selectAllChildren(element)
      }, isLate)
      await edit(await console.context.newCDPSession(console.page))
      await expect.poll(() => editor.innerText()).toBe(expected[name] ?? '{ a }')
      expect(console.problems).toEqual([])
    })
  })

  it('shows why a password reset is refused, without the style of the page that says so', async () => {
    const forgot = `${console.platform.baseUrl}/iam/v4/oidc/projects/${projectKey}/forgot`
    await console.open(`/people?project=${projectKey}`)
    await console.page.getByRole('row', { name: /tom@/ }).getByRole('link').click()
    const origin = console.platform.baseUrl
    const body = new URLSearchParams({ username: 'tom' })
    while ((await fetch(forgot, { method: 'POST', headers: { origin }, body })).ok);
    await console.page.getByRole('button', { name: 'Reset password …' }).click()
    await console.page.getByRole('button', { name: 'Send mail' }).click()
    await console.page.getByText(/Too many/).waitFor()
    expect(console.problems.filter((text) => text.includes('Content Security'))).toEqual([])
  })
})
