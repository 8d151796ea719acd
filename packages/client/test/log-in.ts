import type { FetchLike } from '../src/index.ts'
import { password } from './sample.ts'

/**
 * Submits the platform's login form, as a browser with these cookies does. Returns the URL
 * of the application that it redirects to.
 */
export async function logIn(
  send: FetchLike,
  start: string,
  userName: string,
  secret = password,
): Promise<string> {
  const { origin } = new URL(start)
  const open = async (url: string, init?: RequestInit): Promise<Response | string> => {
    const response = await send(new Request(url, { redirect: 'manual', ...init }))
    const location = response.headers.get('location')
    if (location === null) return response
    const next = new URL(location, url)
    return next.origin === origin ? open(next.href) : next.href
  }
  const page = (await open(start)) as Response
  const action = /<form method="post" action="([^"]+)"/.exec(await page.text())?.[1]
  return (await open(new URL(action!, origin).href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams({ username: userName, password: secret }).toString(),
  })) as string
}
