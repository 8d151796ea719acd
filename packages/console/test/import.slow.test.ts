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
    await page().getByRole('button', { name: 'Import CSV or XLIFF' }).click()
    const buffer = Buffer.from(content)
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer })
  }
  const xliff1 = (target: string) =>
    `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="common" source-language="en-US" target-language="de-DE"><body><trans-unit id="INLINE"><source/><target>${target}</target></trans-unit></body></file></xliff>`
  const xliff2 = (target: string) =>
    `<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en-US" trgLang="de-DE"><file id="common"><unit id="INLINE"><originalData><data id="d1">{{name}}</data><data id="d2">&lt;b&gt;</data><data id="d3">&lt;/b&gt;</data></originalData><segment><source/><target>${target}</target></segment></unit></file></xliff>`

  it.each([
    [xliff1('Hallo <x id="1" equiv-text="{{name}}"/>!'), 'Hallo {{name}}!'],
    [xliff1('Hallo <ph id="1">{{name}}</ph>!'), 'Hallo {{name}}!'],
    [xliff1('<g id="1" ctype="bold">Hallo</g> {{name}}'), '<b>Hallo</b> {{name}}'],
    [xliff1('<g id="1" ctype="x-html-strong">Hallo</g>'), '<strong>Hallo</strong>'],
    [xliff1('<bpt id="1">&lt;b&gt;</bpt>Hallo<ept id="1">&lt;/b&gt;</ept>'), '<b>Hallo</b>'],
    [xliff1('<mrk mtype="term">Hallo</mrk><!-- note --> {{name}}'), 'Hallo {{name}}'],
    [xliff1('<![CDATA[<b>Hallo</b>]]>'), '<b>Hallo</b>'],
    [xliff2('Hallo <ph id="1" dataRef="d1"/>!'), 'Hallo {{name}}!'],
    [xliff2('Hallo <ph id="1" equiv="{{name}}"/>!'), 'Hallo {{name}}!'],
    [xliff2('<pc id="1" dataRefStart="d2" dataRefEnd="d3">Hallo</pc>'), '<b>Hallo</b>'],
    [xliff2('<sc id="1" dataRef="d2"/>Hallo<ec startRef="1" dataRef="d3"/>'), '<b>Hallo</b>'],
    [xliff2('<mrk id="m">Hallo<cp hex="0009"/></mrk>'), 'Hallo\t'],
  ])('keep the inline elements of XLIFF: %#', async (file, expected) => {
    await send('DELETE', '/drafts')
    await texts({ INLINE: 'Hello {{name}}!' })
    await choose('a.xlf', file)
    await button(/^Save/).click()
    await expect.poll(() => draftOf('INLINE')).toBe(expected)
  })

  it.each([
    xliff1('Hallo <x id="1"/>!'),
    xliff1('<g id="1">Hallo</g>'),
    xliff1('Hallo <bx id="1"/>'),
    xliff1('Hallo <ph id="1">{{name}}<sub>x</sub></ph>'),
    xliff2('Hallo <ph id="1"/>!'),
    xliff2('Hallo <ph id="1" dataRef="missing"/>!'),
    xliff2('<pc id="1">Hallo</pc>'),
    xliff2('<cp/>'),
  ])('refuse an inline element without its text: %#', async (file) => {
    await texts({ INLINE: 'Hello {{name}}!' })
    await choose('a.xlf', file)
    await dialog().getByText('does not tell the text of an inline element, INLINE').waitFor()
    expect(await button(/^Save/).isDisabled()).toBe(true)
  })

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
    await dialog().getByText('The encoding cannot be detected.').waitFor()
  })

  it('are refused with a placeholder that the default language does not have', async () => {
    await send('DELETE', '/drafts')
    await texts({
      INLINE: 'Welcome',
      INLINE_COUNT_one: 'One',
      INLINE_COUNT_other: '{{count}} of {{all}}',
    })
    const refused = 'which the text of the default language does not have'
    await choose('a.csv', 'module,key,de-DE\ncommon,INLINE,Willkommen {{name}}')
    await button(/^Save/).click()
    await dialog().getByText(refused).waitFor()

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
    await dialog().getByText('INLINE (de-DE): nmae').waitFor()
    const publish = dialog().getByRole('button', { name: 'Publish', exact: true })
    expect(await publish.isDisabled()).toBe(true)
    expect(await console.violations()).toEqual([])
    await dialog().getByLabel('Publish them nevertheless').check()
    await publish.click()
    await page().getByText('Published.').waitFor()
  })
})
