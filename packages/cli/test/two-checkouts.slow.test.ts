import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '@servicekit/catalog/config'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { submitLogin } from '@servicekit/testing/people'
import { type Command, runCommand, startCommand } from '@servicekit/testing/processes'

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
const key = 'P5c1e7a90d2f84b6e8a3f9d41'

/** Starts the local platform of a new checkout, on its default port. */
async function startCheckout(...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-checkout-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(storefront, join(folder, 'project'), { recursive: true })
  const config = { baseUrl: 'http://127.0.0.1:4600', projectKey: key }
  await writeFile(join(folder, 'servicekit.config.json'), JSON.stringify(config))
  const command = startCommand(['dev', '--project', 'project', '--json', ...args], {}, folder)
  onTestFinished(() => command.kill())
  return { folder, command, baseUrl: await addressOf(command) }
}

async function addressOf({ printed, ended }: Command): Promise<string> {
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  await expect.poll(() => hasEnded || printed.stdout.includes('\n'), { timeout: 60_000 }).toBe(true)
  return (JSON.parse(printed.stdout) as { baseUrl: string }).baseUrl
}

it('runs the platforms of two checkouts side by side', async () => {
  const first = await startCheckout()
  const second = await startCheckout('--memory')
  expect(new Set([first.baseUrl, second.baseUrl]).size).toBe(2)

  // The commands and plugins of each checkout find its own platform.
  for (const [{ folder, baseUrl }, value] of [
    [first, 'first'],
    [second, 'second'],
  ] as const) {
    expect((await loadConfig(join(folder, 'project'), { upwards: true })).service.baseUrl).toBe(
      baseUrl,
    )
    const added = ['admin', 'roles', 'create', value, '--project-key', key]
    expect(await runCommand(added, {}, folder)).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await runCommand(
      ['admin', 'roles', 'list', '--project-key', key],
      {},
      join(folder, 'project'),
    )
    expect(stdout.match(/^(first|second)\b/gm)).toEqual([value])
  }

  // One browser, which sends the cookies of 127.0.0.1 to both ports.
  const clients = [first, second].map(({ baseUrl }) => baseUrl)
  let target = ''
  const browser = browserOn({
    fetch: async (request) => {
      const { pathname, search, origin } = new URL(request.url)
      const headers = new Headers(request.headers)
      if (headers.has('origin')) headers.set('origin', target)
      const body = request.method === 'POST' ? { body: await request.text() } : {}
      const { method } = request
      const address = `${target}${pathname}${search}`
      const response = await fetch(address, { method, headers, redirect: 'manual', ...body })
      const location = response.headers.get('location')?.replace(target, origin)
      const sent = new Response(response.body, response)
      if (location !== undefined) sent.headers.set('location', location)
      return sent
    },
  })
  const session = async () => {
    const headers = { 'x-service-key': key }
    return (await browser.send('/iam/v4/oidc/session', { headers })).status
  }
  for (target of clients) {
    const redirectUri = 'http://localhost:5173/callback'
    const query = new URLSearchParams({
      'x-service-key': key,
      clientId: 'storefront-web',
      redirectUri,
    })
    const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
    const { redirect_uri } = (await begun.json()) as { redirect_uri: string }
    const { pathname, search } = new URL(redirect_uri)
    const { page } = await browser.open(`${pathname}${search}`)
    const { left } = await submitLogin(browser, page!, 'ines@storefront.example', 'storefront')
    const headers = { 'x-service-key': key }
    const callback = await browser.send(`/iam/v4/idp/callback${left!.search}`, { headers })
    expect(callback.status).toBe(200)
  }
  const statuses: number[] = []
  for (target of clients) statuses.push(await session())
  expect(statuses).toEqual([200, 200])

  const reset = ['dev', '--project', 'project', '--json', '--reset']
  const refused = await runCommand(reset, {}, first.folder)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('End that process') })
  await Promise.all([first, second].map(({ command }) => command.kill('SIGTERM')))
  expect(await readdir(second.folder)).not.toContain('.servicekit')
  expect(await readdir(join(first.folder, '.servicekit'))).toEqual(['platform'])

  const again = startCommand(reset, {}, first.folder)
  onTestFinished(() => again.kill())
  await addressOf(again)
  const { stdout } = await runCommand(
    ['admin', 'roles', 'list', '--project-key', key],
    {},
    first.folder,
  )
  expect(stdout).toContain('admin')
  expect(stdout).not.toMatch(/^first\b/m)
}, 180_000)
