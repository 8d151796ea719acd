import { createHash, randomUUID } from 'node:crypto'
import { randomOf } from '@servicekit/testing/random'

export const controlToken = 'control-token-of-the-test'
const clientSecret = 'secret of the job'

/** Sends a request to a control route. */
export const sendControl = (
  baseUrl: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> =>
  fetch(`${baseUrl}/_platform${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const levels = {
  readAccessLevel: 2,
  writeAccessLevel: 2,
  editAccessLevel: 2,
  deleteAccessLevel: 2,
}

/** Creates the project P with a schema, a module, a machine client and a webhook. */
export async function createProject(baseUrl: string, webhookUrl: string): Promise<void> {
  const calls = [
    ['POST', '/projects', { projectKey: 'P', name: 'P', fallback: 'en-US', languages }],
    ['POST', '/projects/P/modules', { moduleName: 'm' }],
    ['POST', '/projects/P/publish', {}],
    ['PUT', '/projects/P/schemas/Note', note],
    ['POST', '/projects/P/schemas/publish', {}],
    ['PUT', '/projects/P/identity', identity],
    ['PUT', '/projects/P/webhook', webhookOf(webhookUrl)],
  ] as const
  for (const [method, path, body] of calls) {
    const response = await sendControl(baseUrl, method, path, body)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
}

const languages = [
  { itemId: randomUUID(), languageName: 'English', languageCode: 'en-US', isDefault: true },
]
const note = {
  schemaName: 'Note',
  schemaType: 1,
  querySchema: 'Notes',
  fields: [{ name: 'Text', type: 'String' }],
  ...levels,
}
/** Identities with a machine client, whose token `issueToken` returns. */
export const identity = {
  roles: [{ slug: 'admin' }],
  clients: [{ clientId: 'job', clientSecret, roles: ['admin'] }],
}
const webhookOf = (url: string) => ({
  url,
  contentType: 'application/json',
  isDisabled: false,
  projectKey: 'P',
})

const withKey = { 'x-service-key': 'P' }

/** Returns a token of the machine client. */
export async function issueToken(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/iam/v4/oidc/token`, {
    method: 'POST',
    headers: withKey,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'job',
      client_secret: clientSecret,
      org_id: 'default',
    }),
  })
  return ((await response.json()) as { accessToken: string }).accessToken
}

/** Sends a document to the data gateway. */
export async function query<T>(baseUrl: string, text: string, variables = {}): Promise<T> {
  const response = await fetch(`${baseUrl}/data/v4/gateway`, {
    method: 'POST',
    headers: withKey,
    body: JSON.stringify({ query: text, variables }),
  })
  return ((await response.json()) as { data: T }).data
}

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Signed addresses of a local storage begin with the public URL. */
export const reachable = (url: string, baseUrl: string): string =>
  url.replace(/^http:\/\/platform\.local/, baseUrl)

/** Requests to a file of the project, with a token. */
export const filesOf = (baseUrl: string, token: string) => {
  const headers = { ...withKey, authorization: `Bearer ${token}` }
  return {
    presign: async (name: string) => {
      const response = await fetch(`${baseUrl}/data/v4/Files/GetPreSignedUrlForUpload`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name }),
      })
      return (await response.json()) as {
        readonly fileId: string
        readonly uploadUrl: string
        readonly requiredHeaders: Record<string, string>
      }
    },
    /** Resolves with the bytes that are served for a file; undefined if none are. */
    read: async (id: string): Promise<Uint8Array | undefined> => {
      const found = await fetch(`${baseUrl}/data/v4/Files/GetFile?FileId=${id}`, { headers })
      if (found.status === 404) return undefined
      const { url } = (await found.json()) as { url: string }
      const response = await fetch(reachable(url, baseUrl))
      if (!response.ok) throw new Error(`A listed file is not served: ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    },
    list: async (): Promise<readonly string[]> => {
      const ids: string[] = []
      for (let page = 0; ; page++) {
        const response = await fetch(`${baseUrl}/data/v4/Files/GetFilesInfo`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ page, pageSize: 100 }),
        })
        const { data, totalCount } = (await response.json()) as {
          data: { itemId: string }[]
          totalCount: number
        }
        ids.push(...data.map(({ itemId }) => itemId))
        if (data.length === 0 || ids.length >= totalCount) return ids
      }
    },
  }
}

interface Changed {
  readonly totalImpactedData: number
}

/** Everything that the server acknowledged, and what was only sent. */
export interface Acknowledged {
  readonly notes: Set<string>
  /** Last acknowledged text of each record that was updated. */
  readonly updates: Map<string, string>
  readonly deletes: Set<string>
  /** Number of acknowledged edits, each of which is published and notified. */
  edits: number
  /** Numbers of the last edit that was acknowledged, and of the last one that was sent. */
  lastEdit: { acknowledged: number; sent: number }
  /** Hashes of acknowledged uploads by file. */
  readonly uploads: Map<string, string>
  /** Hashes of all uploads by file. */
  readonly sent: Map<string, string>
}

export const newRecord = (): Acknowledged => ({
  notes: new Set(),
  updates: new Map(),
  deletes: new Set(),
  edits: 0,
  lastEdit: { acknowledged: 0, sent: 0 },
  uploads: new Map(),
  sent: new Map(),
})

/**
 * Writes records, edits and files at once, until the instance is gone.
 *
 * @returns `busy`, which resolves when each kind of write was acknowledged once.
 */
export function startWriting(baseUrl: string, record: Acknowledged, seed: number) {
  const random = randomOf(seed)
  let isBusy = (): void => {}
  const done = new Set<string>()
  const busy = new Promise<void>((resolve) => {
    isBusy = resolve
  })
  const acknowledged = (kind: string): void => {
    done.add(kind)
    if (done.size === 5) isBusy()
  }
  const note = async (): Promise<void> => {
    const id = randomUUID()
    const text = `mutation { insertNote(input: {ItemId: "${id}"}) { acknowledged } }`
    const data = await query<{ insertNote: { acknowledged: boolean } } | null>(baseUrl, text)
    if (!data?.insertNote?.acknowledged) return
    record.notes.add(id)
    acknowledged('note')
    await change(id)
  }
  /** Updates a record, and deletes it in half of the cases. */
  const change = async (id: string): Promise<void> => {
    const where = `where: {ItemId: {eq: "${id}"}}`
    const text = `mutation { updateNote(${where}, input: {Text: "${id}"}) { totalImpactedData } }`
    const { updateNote } = await query<{ updateNote: Changed }>(baseUrl, text)
    if (updateNote.totalImpactedData !== 1) return
    record.updates.set(id, id)
    acknowledged('update')
    if (random.chance(0.5)) return
    // Neither kept nor lost until the response arrives.
    record.notes.delete(id)
    record.updates.delete(id)
    const removal = `mutation { deleteNote(${where}) { totalImpactedData } }`
    const { deleteNote } = await query<{ deleteNote: Changed }>(baseUrl, removal)
    if (deleteNote.totalImpactedData !== 1) return
    record.deletes.add(id)
    acknowledged('delete')
  }
  const edit = async (): Promise<void> => {
    const number = ++record.lastEdit.sent
    const texts = [{ language: 'en-US', module: 'm', key: 'ONE', value: String(number) }]
    const response = await sendControl(baseUrl, 'PUT', '/projects/P/texts', texts)
    if (!response.ok) return
    await response.arrayBuffer()
    record.edits++
    record.lastEdit.acknowledged = number
    acknowledged('edit')
  }
  const token = issueToken(baseUrl)
  token.catch(() => {})
  const upload = async (): Promise<void> => {
    const bytes = new Uint8Array(Buffer.alloc(random.below(300_000), String(random.next())))
    const { fileId, uploadUrl, requiredHeaders } = await filesOf(baseUrl, await token).presign('a')
    record.sent.set(fileId, hashOf(bytes))
    const response = await fetch(reachable(uploadUrl, baseUrl), {
      method: 'PUT',
      headers: requiredHeaders,
      body: bytes,
    })
    await response.arrayBuffer()
    if (!response.ok) return
    record.uploads.set(fileId, hashOf(bytes))
    acknowledged('upload')
  }
  const stopping = new AbortController()
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    // A request fails when the instance is gone.
    while (!stopping.signal.aborted) await work()
  }
  const writers = [note, edit, upload].map((work) => repeat(work).catch(() => {}))
  return {
    busy,
    stop: async (): Promise<void> => {
      stopping.abort()
      await Promise.all(writers)
    },
  }
}
