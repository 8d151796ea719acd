import { bindClient, createCore } from '@servicekit/client'
import { handlerTransport, record, replay } from '@servicekit/client/testing'
import { receive } from '@servicekit/client/webhooks'
import { all, type Check, has } from './checks.ts'
import type { World } from './world.ts'

export function contentChecks(world: World): readonly Check[] {
  const client = bindClient(world.noted(createCore(world.options())))
  const { localization, data, translation } = client
  return [
    ...(['localization', 'uilm'] as const).map((family): Check => [
      `languages, modules and texts are read by ${family}`,
      async () => {
        has((await localization.listLanguages({ family })).length > 1, true)
        has((await localization.listModules({ family })).length > 1, true)
        const place = { language: 'fr-FR', module: 'auth' }
        const file = await localization.getFile(place, { family })
        has(file, { status: 'ok' })
        has(Object.keys((file.status === 'ok' && file.translations) || {}).length > 0, true)
      },
    ]),
    [
      'schemas are listed, and a query is run',
      async () => {
        const schemas = await all(data.listSchemas({ pageSize: 2 }))
        has(
          schemas.some(({ schemaName }) => schemaName === 'Product'),
          true,
        )
        has(await data.execute({ query: '{ Products { totalCount } }' }), { ok: true })
        has(await data.execute({ query: '{ Nothing { totalCount } }' }), { ok: false })
      },
    ],
    [
      'a translation is suggested',
      async () => {
        const { suggestions } = await translation.suggest({
          text: 'Sign in',
          from: 'en-US',
          to: 'de-DE',
          elementType: 'button',
          applicationContext: 'shop',
          detailContext: 'opens the form',
        })
        has(Array.isArray(suggestions), true)
      },
    ],
    [
      'an event is received once, by who knows the secret',
      async () => {
        const heard: string[] = []
        const hook = receive(
          { secret: 'canary', headerKey: 'x-hook', maxBytes: 500 },
          { GenerateUilmFilesEvent: (event) => void heard.push(event.GenerateUilmFilesEvent.Guid) },
        )
        const send = async (body: object, secret = 'canary'): Promise<number> => {
          const headers = { 'x-hook': secret, 'content-type': 'application/json' }
          const init = { method: 'POST', headers, body: JSON.stringify(body) }
          return (await hook(new Request('http://app.test/hook', init))).status
        }
        const event = { GenerateUilmFilesEvent: { Guid: 'g1', ModuleId: null, ProjectKey: 'P' } }
        has([await send(event), await send(event), await send(event, 'other')], [200, 200, 401])
        has(await send({ GenerateUilmFilesEvent: { Guid: 'x'.repeat(600) } }), 413)
        has(heard, ['g1'])
      },
    ],
    [
      'answers are recorded and replayed, without a network',
      async () => {
        const handler = async (): Promise<Response> =>
          Response.json([{ itemId: 'm1', moduleName: 'auth' }])
        const { transport, recorded } = record(handlerTransport(handler))
        const ask = (one: typeof transport) =>
          bindClient(createCore(world.options({ transport: one }))).localization.listModules()
        has(await ask(transport), [{ name: 'auth' }])
        has(await ask(replay(recorded)), [{ name: 'auth' }])
      },
    ],
  ]
}
