import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'

const projectKey = 'SHOP'

/** Small project on a platform with real HTTP. */
export interface Shop {
  readonly platform: StartedPlatform
  /** Options of a project of this platform. */
  readonly options: { readonly baseUrl: string; readonly projectKey: string }
  /** Sends a request to a control route of the project. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<unknown>
}

export async function startShop(): Promise<Shop> {
  const platform = await startPlatform({ port: 0 })
  const { baseUrl } = platform
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/_platform/projects${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const languages = ['en-US', 'de-DE'].map((languageCode, index) => ({
    itemId: `l${index}`,
    languageCode,
    languageName: languageCode,
    isDefault: index === 0,
  }))
  await send('POST', '', {
    projectKey,
    name: 'Shop',
    languages,
    modules: [{ itemId: 'm', moduleName: 'cart' }],
    texts: {
      'en-US': { cart: { PAY: 'Pay', TITLE: 'Your cart' } },
      'de-DE': { cart: { PAY: 'Zahlen', TITLE: 'Ihr Warenkorb' } },
    },
  })
  return {
    platform,
    options: { baseUrl, projectKey },
    control: (method, path, body) => send(method, `/${projectKey}${path}`, body),
  }
}
