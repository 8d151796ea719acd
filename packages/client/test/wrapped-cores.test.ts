import * as routes from '@servicekit/contract/routes'
import { expect, it } from 'vitest'
import { createCore, type Core } from '../src/index.ts'
import { forwardCookies } from '../src/forward-cookies.ts'
import { withToken } from '../src/token.ts'
import { serve } from './serve.ts'

const source = { get: async () => 'T', drop: () => {} }

it.each([
  [
    'a token around forwarded cookies',
    (core: Core) => withToken(forwardCookies(core, 'a=1').core, source),
  ],
  [
    'forwarded cookies around a token',
    (core: Core) => forwardCookies(withToken(core, source), 'a=1').core,
  ],
])('sends both with %s', async (_, wrap) => {
  const { url, requests } = await serve((response) => response.end('[]'))
  const core = wrap(createCore({ baseUrl: url, projectKey: 'P' }))
  await core.send(routes.localizationListLanguages, { intent: 'list the languages' })
  expect(requests[0]!.headers).toMatchObject({ authorization: 'Bearer T', cookie: 'a=1' })
})
