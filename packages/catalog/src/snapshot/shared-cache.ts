import type { CacheStorage } from '../config/cache-storage.ts'
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { ConfigError, ServicekitError } from '@servicekit/client'
import { environmentFetch } from '@servicekit/client/proxy'
import { reasonOf, redactText } from '@servicekit/core'
import type createRedisDriver from 'unstorage/drivers/redis'
import { isEtag, type KnownEtag } from './etags.ts'
import type { Environment } from '../config/options.ts'

/**
 * Translation files fetched by other machines. No method fails: unavailable files are
 * fetched from the source.
 */
export interface SharedCache {
  /** Returns the content with the given lock entry. The caller verifies it. */
  readonly content: (hash: string) => Promise<string | undefined>
  /** Returns the ETag of the last response of a source for a file. */
  readonly etag: (source: string, path: string) => Promise<KnownEtag | undefined>
  readonly save: (
    file: { readonly hash: string; readonly content: string },
    from?: { readonly source: string; readonly path: string; readonly etag: string },
  ) => Promise<void>
  /** Returns the reason why the storage is unusable; undefined if it is usable. */
  readonly failure: () => unknown
}

/** Hashed keys, valid for every driver: unstorage splits keys at `:` and `/`. */
const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 40)

/** @throws Error on a timeout: a slow cache must not delay the pull. */
async function withTimeout<T>(work: Promise<T>, waitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${waitMs} ms`)), waitMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

export function sharedCache(storage: CacheStorage, waitMs = 10_000): SharedCache {
  let failure: unknown
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    // An unreachable cache costs one timeout, not one per file.
    if (failure !== undefined) return undefined
    try {
      return await withTimeout(work(), waitMs)
    } catch (error) {
      failure ??= error
      return undefined
    }
  }
  const text = (key: string): Promise<string | undefined> =>
    attempt(async () => {
      const value = await storage.getItem(key)
      // unstorage parses values that look like JSON.
      if (value === null || value === undefined) return undefined
      return typeof value === 'string' ? value : JSON.stringify(value)
    })
  return {
    failure: () => failure,
    async content(hash) {
      const value = await text(`uilm:text:${digest(hash)}`)
      return value?.startsWith('=') === true ? value.slice(1) : undefined
    },
    async etag(source, path) {
      const value = await text(`uilm:etag:${digest(`${source}\n${path}`)}`)
      if (value === undefined) return undefined
      try {
        const { etag, hash } = JSON.parse(value) as Partial<KnownEtag>
        return isEtag(etag) && typeof hash === 'string' ? { etag, hash } : undefined
      } catch {
        return undefined
      }
    },
    async save({ hash, content }, from) {
      // The `=` prefix prevents drivers from parsing the text as JSON, which would
      // reorder its keys.
      await attempt(() => storage.setItem(`uilm:text:${digest(hash)}`, `=${content}`))
      if (!from) return
      const { source, path, etag } = from
      const value = JSON.stringify({ etag, hash })
      await attempt(() => storage.setItem(`uilm:etag:${digest(`${source}\n${path}`)}`, value))
    },
  }
}

/**
 * Opens the storage named by the option.
 *
 * | cache | storage |
 * |---|---|
 * | `../cache` | a folder, relative to the root |
 * | `https://cache.example.com/uilm` | `GET` and `PUT` below that URL |
 * | `redis://host:6379` | Redis, with the package `ioredis` |
 * | `s3://bucket?endpoint=https://…&region=…` | S3, with the package `aws4fetch` and AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY |
 *
 * @throws ConfigError for an unsupported URL.
 * @throws ServicekitError PACKAGE_MISSING if a package for the storage is not installed.
 */
export async function openCache(
  cache: string | CacheStorage,
  { root, environment }: { readonly root: string; readonly environment: Environment },
): Promise<CacheStorage> {
  if (typeof cache !== 'string') return cache
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(cache)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined: {
      const { createStorage } = await loadUnstorage()
      const { default: driver } = await import('unstorage/drivers/fs-lite')
      return createStorage({ driver: driver({ base: resolve(root, cache) }) })
    }
    case 'http':
    case 'https':
      return storageAt(cache, environmentFetch(environment))
    case 'redis':
    case 'rediss': {
      const { createStorage } = await loadUnstorage()
      const driver = await loadPeer('ioredis', () => import('unstorage/drivers/redis'))
      return createStorage({ driver: redisDriver(driver.default, cache) })
    }
    case 's3': {
      const { base, ...options } = s3Options(cache, environment)
      const { AwsClient } = await loadPeer('aws4fetch', () => import('aws4fetch'))
      const client = new AwsClient({ ...options, service: 's3' })
      const send = environmentFetch(environment)
      return storageAt(base, async (url, init) => send(await client.sign(url, init)))
    }
    default:
      throw new ConfigError(`cache does not support ${scheme}:// URLs`, {
        help: 'Use a folder, a URL with http, https, redis, rediss or s3, or a storage of unstorage.',
      })
  }
}

// Loaded on demand, so that only projects with a shared cache install it.
const loadUnstorage = () => loadPeer('unstorage', () => import('unstorage'))

/**
 * Creates a storage of `GET` and `PUT` below a URL. Unlike the drivers of unstorage, which call the
 * global `fetch`, it uses the proxy of the environment.
 */
function storageAt(
  base: string,
  send: (url: string, init: RequestInit) => Promise<Response>,
): CacheStorage {
  const call = async (key: string, init: RequestInit): Promise<string | null> => {
    const url = `${base.replace(/\/$/, '')}/${key.replaceAll(':', '/')}`
    const where = `${init.method} ${redactText(url)}`
    const response = await send(url, init).catch((cause: unknown) => {
      throw new Error(`${where}: ${redactText(reasonOf(cause))}`, { cause })
    })
    const text = await response.text()
    if (response.ok) return text
    if (response.status === 404) return null
    throw new Error(`${where}: the server responded with ${response.status}`)
  }
  return {
    getItem: (key) => call(key, { method: 'GET' }),
    setItem: (key, body) => call(key, { method: 'PUT', body }),
  }
}

/**
 * Creates a Redis driver without retries. By default ioredis retries an unreachable
 * server for minutes.
 */
function redisDriver(create: typeof createRedisDriver, url: string) {
  let connectionError: Error | undefined
  const driver = create({
    url,
    base: 'servicekit',
    connectTimeout: 5000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  driver.getInstance!().on('error', (error: Error) => (connectionError ??= error))
  const withConnectionError = async <T>(work: T | Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      // The error of a command only states that the connection is closed.
      throw connectionError ?? error
    }
  }
  return {
    ...driver,
    getItem: (key: string) => withConnectionError(driver.getItem(key)),
    setItem: (key: string, value: string) => withConnectionError(driver.setItem!(key, value, {})),
  }
}

/** @throws ServicekitError PACKAGE_MISSING if an optional peer dependency is not installed. */
async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new ServicekitError(`The shared cache requires the package ${name}`, {
      code: 'PACKAGE_MISSING',
      details: { package: name },
      help: `Install it: npm install --save-dev ${name}`,
      cause,
    })
  }
}

function s3Options(cache: string, environment: Environment) {
  const url = new URL(cache)
  const endpoint = url.searchParams.get('endpoint')
  const accessKeyId = environment['AWS_ACCESS_KEY_ID']
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY']
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError('The shared cache on S3 requires credentials', {
      help: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    })
  }
  const region = url.searchParams.get('region') ?? environment['AWS_REGION'] ?? 'us-east-1'
  return {
    accessKeyId,
    secretAccessKey,
    region,
    /** URL of the bucket. */
    base: `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, '')}/${url.hostname}`,
  }
}
