import { isBrowserMissing } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

interface Look {
  readonly theme: 'light' | 'dark'
  readonly language: 'en' | 'ar'
  readonly width: 1280 | 360
}

const all: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  (['en', 'ar'] as const).flatMap((language) =>
    ([1280, 360] as const).map((width) => ({ theme, language, width })),
  ),
)
/** One look for each route, in turn: each value of a look is used by half of the routes. */
const inTurn = [all[0]!, all[7]!, all[2]!, all[5]!]

describe.skipIf(isBrowserMissing())('all routes', { timeout: 600_000 }, () => {
  const console = useConsole()
  const call = async (method: string, path: string, body: object) => {
    const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
    return (await response.json().catch(() => ({}))) as Record<string, string>
  }
  const show = async (path: string) => {
    await console.open(`${path}?project=${projectKey}`)
    await console.page.waitForFunction(
      () => document.querySelector('main h1') && !document.querySelector('main [aria-busy="true"]'),
    )
  }
  /** Returns the paths of links below the console. */
  const linksIn = async (selector: string) => {
    const links = await console.page
      .locator(`${selector} a[href^="/console/"]:not([download])`)
      .evaluateAll((found) => found.map((link) => new URL((link as HTMLAnchorElement).href)))
    return links.map(({ pathname }) => pathname.slice('/console'.length))
  }

  it('are accessible, fit, log no error and send nothing elsewhere, in every look', async () => {
    await call('PUT', '/tools/mail', { name: 'Mail' })
    await call('PUT', '/agents/helper', { name: 'Helper', toolIds: ['mail'] })
    // Otherwise the browser logs the 404 that says that there is none.
    await call('PUT', '/webhook', {
      url: 'http://127.0.0.1:9/hook',
      contentType: 'application/json',
      serviceWebhookSecret: { secret: 'a secret', headerKey: 'x-secret' },
      isDisabled: true,
      projectKey,
    })
    await call('PUT', '/drafts', [
      { module: 'common', key: 'NAV_ABOUT', language: 'de-DE', value: 'Über' },
    ])
    const user = { email: 'mara@storefront.example', password: '' }
    await call('POST', '/interface/iam/v4/iam/users/create', user)
    const file = { name: 'a.txt', accessModifier: 'Private', projectKey }
    const { uploadUrl } = await call(
      'POST',
      '/interface/data/v4/Files/GetPreSignedUrlForUpload',
      file,
    )
    await fetch(uploadUrl!, { method: 'PUT', body: 'text' })

    const { host } = new URL(console.platform.baseUrl)
    const elsewhere: string[] = []
    console.context.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.host !== host) elsewhere.push(url.href)
    })
    await show('/')
    // The navigation lists the pages of the router, and they list their tabs. Of the other links,
    // one for each depth below a page is enough.
    const routes = new Set([...(await linksIn('nav')), '/nowhere'])
    const depths = new Set<string>()
    const found: string[] = []
    let index = 0
    for (const route of routes) {
      const looks = isDeep ? all : [inTurn[index++ % inTurn.length]!]
      for (const { theme, language, width } of looks) {
        await console.page.setViewportSize({ width, height: 800 })
        await console.page.evaluate(
          ([chosen, code]) => {
            localStorage.setItem('servicekit-console-theme', chosen!)
            localStorage.setItem('servicekit-console-language', code!)
          },
          [theme, language],
        )
        await show(route)
        const tooWide = await console.page.evaluate(() => {
          const boxes = [document.documentElement, document.querySelector('main')!]
          if (boxes.every((box) => box.scrollWidth <= box.clientWidth)) return []
          const { left, right } = boxes[1]!.getBoundingClientRect()
          const widest = [...document.querySelectorAll('main *')].find((element) => {
            const box = element.getBoundingClientRect()
            return box.width > 0 && (box.left < left || box.right > right)
          })
          return [`scrolls: ${widest?.outerHTML.slice(0, 200)}`]
        })
        const violations = await console.violations()
        for (const problem of [...tooWide, ...violations, ...console.takeProblems()]) {
          found.push(`${route} ${theme} ${language} ${width}: ${problem}`)
        }
      }
      for (const tab of await linksIn('main nav')) routes.add(tab)
      for (const link of await linksIn('main')) {
        const [page, ...rest] = link.split('/').filter(Boolean)
        const depth = `${page} ${rest.length}`
        if (routes.has(link) || rest.length === 0 || depths.has(depth)) continue
        depths.add(depth)
        routes.add(link)
      }
    }
    expect(found).toEqual([])
    expect(elsewhere).toEqual([])
    // At least the dialogs of a file, a user, a tool and a record, and the panel of a key.
    expect([...depths].sort()).toEqual(
      expect.arrayContaining([
        'data 2',
        'data 3',
        'files 1',
        'people 2',
        'tools 2',
        'translations 2',
      ]),
    )
    expect(routes.size).toBeGreaterThan(20)
  })
})
