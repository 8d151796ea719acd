/** For pages: a cookie jar, but no secrets; the token is passed in. */
import { createCore } from '@servicekit/client'
import { runSuite, type SuiteResult } from './suite.ts'
import type { Means, Settings } from './world.ts'

const pageMeans: Means = {
  withCookies: (core) => core,
  machine: async (options, { ask }) => {
    const { token } = await ask<{ token: string }>('get-token')
    return createCore({ ...options, headers: { authorization: `Bearer ${token}` } })
  },
  // Uses the default, `sessionStorage`.
  store: () => ({}),
}

const page = globalThis as unknown as { suite: (settings: Settings) => Promise<SuiteResult> }
page.suite = (settings) => runSuite(settings, pageMeans)
