import { isBrowserMissing } from '@servicekit/testing/browser'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('tools and knowledge', { timeout: 120_000 }, () => {
  const console = useConsole()
  const { open, problems, violations } = console
  const button = (name: string) => console.page.getByRole('button', { name, exact: true })

  /** Authorization server that consents at once, or refuses. */
  let isRefusing = false
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://local')
    if (url.pathname === '/token') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', expires_in: 3600 }))
      return
    }
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    if (isRefusing) back.searchParams.set('error', 'access_denied')
    else back.searchParams.set('code', 'c')
    response.writeHead(302, { location: back.href }).end()
  })
  let origin = ''
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  /** Opens the authorization page, and returns what the platform says after it. */
  const authorize = async (): Promise<string> => {
    const link = console.page.getByRole('link', { name: 'Open the authorization page' })
    await link.waitFor()
    const [other] = await Promise.all([console.context.waitForEvent('page'), link.click()])
    await other.waitForURL(/\/_platform\/tools\/callback/)
    const text = await other.locator('body').innerText()
    await other.close()
    return text
  }

  it('connects a tool, and shows the result of a grant and of a denial', async () => {
    await open(`/tools?project=${projectKey}`)
    await console.page.getByText('The project has no tools yet.').waitFor()
    expect(await violations()).toEqual([])
    await console.page.getByRole('link', { name: 'New tool' }).click()
    const dialog = console.page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Mail')
    await dialog.getByLabel('Authentication').selectOption('OAuth 2, a user consents')
    await dialog.getByLabel('Authorization URL').fill(`${origin}/authorize`)
    await dialog.getByLabel('Token URL').fill(`${origin}/token`)
    await dialog.getByLabel('Client id').fill('console')
    await dialog.getByLabel('Client secret').fill('canary-secret')
    await dialog.getByLabel('Scopes').fill('mail.read mail.send')
    expect(await violations()).toEqual([])
    await button('Save').click()
    await console.page.getByText('Mail is saved.').waitFor()
    await dialog.getByText('not connected').waitFor()

    isRefusing = true
    await button('Connect').click()
    expect(await authorize()).toContain('responded with access_denied')
    expect(await dialog.getByText('not connected').count()).toBe(1)
    isRefusing = false
    await button('Connect').click()
    expect(await authorize()).toContain('The tool is connected.')
    // As when the user returns to this tab.
    await console.page.evaluate(() => dispatchEvent(new Event('focus')))
    await dialog.getByText('connected', { exact: true }).waitFor()
    await dialog.getByText('mail.read mail.send').waitFor()
    expect(await violations()).toEqual([])

    // The secret is not shown, and saving the form again keeps it.
    await console.page.reload()
    expect(await dialog.getByLabel('Client secret').inputValue()).toBe('***')
    expect(await console.page.content()).not.toContain('canary-secret')
    expect(problems).toEqual([])
  })

  it('shows a tutorial, whose Markdown adds no element of its own', async () => {
    await open(`/tools?project=${projectKey}`)
    await console.page.getByRole('link', { name: 'Mail' }).click()
    const dialog = console.page.getByRole('dialog', { name: 'Mail' })
    await dialog.getByText('The tool has no tutorial.').waitFor()
    await button('Edit tutorial').click()
    const markdown = [
      '# Send a mail',
      'Read the [manual](https://example.com/manual) **first**.',
      '- one',
      '```html\n<b>code</b>\n```',
      '<script>window.hacked = 1</script>',
      '<img src=x onerror="window.hacked = 1"> text <iframe src="https://example.com"></iframe>',
      '![<svg onload=alert(1)>](https://example.com/pixel.png)',
      '[click](javascript:window.hacked=1) [data](data:text/html,x)',
      '<form action="/x"><input name="a" autofocus></form><style>*{display:none}</style>',
      '<a href="https://example.com" onclick="window.hacked=1">raw</a>',
      '<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    ].join('\n\n')
    await dialog.getByLabel('Tutorial in Markdown').fill(markdown)
    await button('Save tutorial').click()
    const tutorial = dialog.locator('.tutorial')
    await tutorial.getByRole('heading', { name: 'Send a mail' }).waitFor()
    const names = await tutorial.evaluate((element) =>
      [...new Set([...element.querySelectorAll('*')].map(({ localName }) => localName))].sort(),
    )
    expect(names).toEqual(['a', 'code', 'h1', 'li', 'p', 'pre', 'strong', 'ul'])
    const links = await tutorial
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(['https://example.com/manual'])
    expect(await tutorial.innerText()).toContain('<script>window.hacked = 1</script>')
    expect(await console.page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await violations()).toEqual([])
    await button('Undo').click()
    await console.page.getByText('The tutorial is restored.').waitFor()
    await dialog.getByText('The tool has no tutorial.').waitFor()
    // Neither a refused link nor an image reached the policy of the page.
    expect(problems).toEqual([])
  })

  it('adds an agent and finds its answers', async () => {
    await open(`/tools/agents?project=${projectKey}`)
    await console.page.getByText('The project has no agents yet.').waitFor()
    await console.page.getByLabel('Name').fill('Support')
    await console.page.getByRole('checkbox', { name: 'Mail' }).check()
    await button('Save').click()
    const agent = console.page.getByRole('row', { name: 'Support' })
    await agent.getByText('active').waitFor()
    expect(await violations()).toEqual([])
    await agent.getByRole('button', { name: 'Remove' }).click()
    await agent.waitFor({ state: 'detached' })
    await button('Undo').click()
    await agent.getByText('Mail').waitFor()

    await console.page.getByRole('link', { name: 'Questions and answers' }).click()
    for (const [question, answer] of [
      ['How do I return a parcel?', 'Print the label within 30 days.'],
      ['When do you open?', 'At nine.'],
    ] as const) {
      await console.page.getByLabel('Question', { exact: true }).fill(question)
      await console.page.getByLabel('Answer', { exact: true }).fill(answer)
      await button('Add').click()
      await console.page.getByRole('heading', { name: question }).waitFor()
    }
    await console.page.getByRole('searchbox').fill('return label')
    const opening = console.page.getByRole('heading', { name: 'When do you open?' })
    await opening.waitFor({ state: 'detached' })
    const found = console.page.getByRole('article')
    expect(await found.count()).toBe(1)
    expect(await violations()).toEqual([])
    await found.getByRole('button', { name: 'Remove' }).click()
    await console.page.getByText('No question matches.').waitFor()
    await button('Undo').click()
    await console.page.getByRole('heading', { name: 'How do I return a parcel?' }).waitFor()
    expect(problems).toEqual([])
  })
})
