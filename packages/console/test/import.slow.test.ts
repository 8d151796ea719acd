import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('imported and typed translations', { timeout: 120_000 }, () => {
  const console = useConsole()
  const url = (path: string) =>
    `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
  const send = (method: string, path: string, body?: object) =>
    fetch(url(path), { method, ...(body && { body: JSON.stringify(body) }) })
  const page = () => console.page
  const dialog = () => page().getByRole('dialog')
  const button = (name: string | RegExp) => page().getByRole('button', { name, exact: true })
  const texts = (values: Readonly<Record<string, string>>) =>
    send(
      'PUT',
      '/texts',
      Object.entries(values).map(([key, value]) => {
        return { module: 'common', key, language: 'en-US', value }
      }),
    )
  const draftOf = async (key: string) => {
    const drafts = (await (await send('GET', '/drafts')).json()) as { key: string; value: string }[]
    return drafts.find((one) => one.key === key)?.value
  }
  const choose = async (name: string, content: string | Uint8Array) => {
    await page().goto(`${console.platform.baseUrl}/console/translations?project=${projectKey}`)
    await page().getByText('Actions').click()
    await page().getByRole('button', { name: 'Import files' }).click()
    const buffer = Buffer.from(content)
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer })
  }

  it('are read as Windows-1252 if a table is not UTF-8, which the dialog says', async () => {
    await send('DELETE', '/drafts')
    await texts({ INLINE: 'Size' })
    const head = Buffer.from('module;key;de-DE\r\ncommon;INLINE;')
    const bytes = [71, 114, 0xf6, 0xdf, 101, 32, 0x80]
    await choose('a.csv', Buffer.concat([head, Buffer.from(bytes)]))
    await dialog().getByText('It was read as windows-1252').waitFor()
    await button(/^Save/).click()
    await expect.poll(() => draftOf('INLINE')).toBe('Größe €')
    await choose('b.csv', Buffer.concat([head, Buffer.from([65, 0x81, 0xff])]))
    await dialog().getByText('its encoding cannot be detected').waitFor()
  })

  it('are refused with a placeholder that the default language does not have', async () => {
    await send('DELETE', '/drafts')
    await texts({
      INLINE: 'Welcome',
      INLINE_COUNT_one: 'One',
      INLINE_COUNT_other: '{{count}} of {{all}}',
    })
    const refused = 'INLINE (de-DE) uses the unknown parameter name'
    await choose('a.csv', 'module,key,de-DE\ncommon,INLINE,Willkommen {{name}}')
    await dialog().getByText('Placeholders or tags differ (1)').waitFor()
    await dialog().getByText('uses the unknown parameter name').waitFor()
    expect(await button(/^Save/).isDisabled()).toBe(true)

    await console.open(`/translations/common/INLINE?project=${projectKey}`)
    const panel = page().getByRole('complementary')
    await panel.getByRole('textbox', { name: /German/ }).fill('Willkommen {{name}}')
    await button('Save as draft').click()
    await page().getByText(refused).waitFor()
    expect(await draftOf('INLINE')).toBeUndefined()
    await panel.getByRole('textbox', { name: /German/ }).fill('Willkommen')
    await button('Save as draft').click()
    await expect.poll(() => draftOf('INLINE')).toBe('Willkommen')

    // A form of a plural may use the placeholders of the others.
    await choose('b.csv', 'module,key,de-DE\ncommon,INLINE_COUNT_one,{{count}} von {{all}}')
    await button(/^Save/).click()
    await expect.poll(() => draftOf('INLINE_COUNT_one')).toBe('{{count}} von {{all}}')

    // A draft of another program is published only if someone confirms it.
    await send('DELETE', '/drafts')
    await send('PUT', '/drafts', [
      { module: 'common', key: 'INLINE', language: 'de-DE', value: 'Willkommen {{nmae}}' },
    ])
    await console.open(`/translations?publish=&project=${projectKey}`)
    await dialog().getByText('1 error:').waitFor()
    await dialog().getByText('uses the unknown parameter nmae').waitFor()
    const publish = dialog().getByRole('button', { name: 'Publish', exact: true })
    expect(await publish.isDisabled()).toBe(true)
    expect(await console.violations()).toEqual([])
    await dialog().getByLabel('Reason to publish them nevertheless').fill('The build follows.')
    await publish.click()
    await page().getByText('Published.').waitFor()
  })
})
