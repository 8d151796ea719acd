import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the inbox', { timeout: 120_000 }, () => {
  const console = useConsole()
  const { open, problems, violations } = console
  const button = (name: string) => console.page.getByRole('button', { name, exact: true })
  const requestReset = (username: string) =>
    fetch(`${console.platform.baseUrl}/iam/v4/oidc/projects/${projectKey}/forgot`, {
      method: 'POST',
      headers: { origin: console.platform.baseUrl },
      body: new URLSearchParams({ username }),
    })

  it('signs in as the recipient of a mail on the other loopback name, once', async () => {
    await requestReset('tom@storefront.example')
    await open(`/inbox?project=${projectKey}`)
    const signIn = button('Sign in as tom@storefront.example')
    await signIn.waitFor()
    expect(await violations()).toEqual([])
    const [other] = await Promise.all([console.context.waitForEvent('page'), signIn.click()])
    await other.getByRole('heading', { name: 'You are signed in as Tom' }).waitFor()
    expect(new URL(other.url()).hostname).not.toBe(new URL(console.page.url()).hostname)
    expect(await other.getByRole('link').getAttribute('href')).toBe('http://127.0.0.1:5173')
    await other.reload()
    await other.getByRole('heading', { name: 'This link is not valid' }).waitFor()

    // The page itself may not send requests.
    const headers = { 'x-service-key': projectKey }
    const { request } = console.context
    const read = async (page: typeof other) => {
      const url = new URL('/idp/v1/Iam/GetAccount', page.url()).href
      const response = await request.get(url, { headers })
      return { status: response.status(), text: await response.text() }
    }
    expect(await read(other)).toMatchObject({
      status: 200,
      text: expect.stringContaining('tom@storefront.example'),
    })
    expect((await read(console.page)).status).toBe(401)
    const renewed = await request.post(new URL('/iam/v4/oidc/token', other.url()).href, {
      headers,
      form: { grant_type: 'refresh_token', client_id: 'storefront-web' },
    })
    expect(renewed.status()).toBe(200)
    expect(problems.filter((one) => !one.includes('401'))).toEqual([])
  })

  it('shows new mails on request, and deletes all after asking', async () => {
    await fetch(`${console.platform.baseUrl}/_platform/projects/${projectKey}/inbox`, {
      method: 'DELETE',
    })
    await open(`/inbox?project=${projectKey}`)
    await console.page.getByText('The platform has sent no mails yet.').waitFor()
    expect(await violations()).toEqual([])
    await requestReset('ines@storefront.example')
    await button('Refresh').click()
    await console.page.getByRole('article').waitFor()
    await button('Delete all mails …').click()
    await console.page.getByText('This cannot be undone.').waitFor()
    expect(await violations()).toEqual([])
    await button('Cancel').click()
    expect(await console.page.getByRole('article').count()).toBe(1)
    await button('Delete all mails …').click()
    await button('Delete').click()
    await console.page.getByText('The platform has sent no mails yet.').waitFor()
    expect(problems).toEqual([])
  })
})
