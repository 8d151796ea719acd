const projectKey = 'P0123456789abcdef'
const path = '/localization/v4/Key/GetUilmFile'
const query = { Language: 'de-DE', ModuleName: 'auth', ProjectKey: projectKey }
const headers = { accept: 'application/json', 'x-service-key': projectKey }
const search = new URLSearchParams(query)

/**
 * Requests of each client. Each function sets up a client and returns a function that
 * resolves to the parsed body.
 *
 * @type {Readonly<Record<string, (baseUrl: string) => Promise<() => Promise<unknown>>>>}
 */
const clients = {
  async servicekit(baseUrl) {
    const { createClient } = await import('@servicekit/client')
    const { localization } = createClient({ baseUrl, projectKey })
    return async () => {
      const file = await localization.getFile({ language: 'de-DE', module: 'auth' })
      return file.status === 'ok' && file.translations
    }
  },
  async undici(baseUrl) {
    const { request } = await import('undici')
    return async () => {
      const { statusCode, body } = await request(`${baseUrl}${path}?${search}`, { headers })
      if (statusCode !== 200) throw new Error(`The service responded with ${statusCode}`)
      return body.json()
    }
  },
  async appwrite(baseUrl) {
    const { Client, Locale } = await import('appwrite')
    const locale = new Locale(new Client().setEndpoint(baseUrl).setProject(projectKey))
    return () => locale.get()
  },
  async ofetch(baseUrl) {
    const { ofetch } = await import('ofetch')
    const api = ofetch.create({ baseURL: baseUrl, headers })
    return () => api(path, { query })
  },
  async 'openapi-fetch'(baseUrl) {
    const { default: createClient } = await import('openapi-fetch')
    const api = /** @type {any} */ (createClient({ baseUrl, headers }))
    return async () => {
      const { data, error } = await api.GET(path, { params: { query } })
      if (error) throw new Error('The service refused the request', { cause: error })
      return data
    }
  },
  async axios(baseUrl) {
    const [{ default: axios }, { Agent }] = await Promise.all([
      import('axios'),
      import('node:http'),
    ])
    // Without its own agent, each request may open a new connection.
    const api = axios.create({
      baseURL: baseUrl,
      headers,
      httpAgent: new Agent({ keepAlive: true }),
    })
    return async () => (await api.get(path, { params: query })).data
  },
  async ky(baseUrl) {
    const { default: ky } = await import('ky')
    const api = ky.create({ prefixUrl: baseUrl, headers })
    return () => api.get(path.slice(1), { searchParams: query }).json()
  },
}

/**
 * Sends the same request repeatedly and sequentially, and measures the CPU time of this
 * process alone: JavaScript, kernel, compiler and garbage collector.
 *
 * @param {{ client: string, baseUrl: string, requests: number, expected: string }} input
 */
export async function prepare({ client, baseUrl, requests, expected }) {
  const send = await /** @type {any} */ (clients[client])(baseUrl)
  for (let sent = 0; sent < requests / 2; sent++) await send()
  return async () => {
    const before = process.cpuUsage()
    let last
    for (let sent = 0; sent < requests; sent++) last = await send()
    const { user, system } = process.cpuUsage(before)
    if (JSON.stringify(last) !== expected) throw new Error(`${client} resolved with another body`)
    return { microseconds: (user + system) / requests }
  }
}
