import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { ConfigError } from '@servicekit/client'
import type createRedisDriver from 'unstorage/drivers/redis'
import type { Environment } from './options.ts'

/**
 * Storage of a shared cache: an `unstorage` storage, or any compatible object.
 *
 * ```ts
 * cache: createStorage({ driver: redisDriver({ url, ttl: 86_400 }) })
 * ```
 */
export interface CacheStorage {
  readonly getItem: (key: string) => Promise<unknown>
  readonly setItem: (key: string, value: string) => Promise<unknown>
  /** Closes the connections. Called only for storages opened from a URL. */
  readonly dispose?: () => Promise<unknown>
}

/** ETag with the hash of the content that it was sent for. */
interface CachedAnswer {
  readonly etag: string
  /** Lock entry of the file. */
  readonly hash: string
}

/**
 * Translation files fetched by other machines. No method fails: unavailable files are
 * fetched from the source.
 */
export interface SharedCache {
  /** Returns the content with the given lock entry. The caller verifies it. */
  readonly content: (hash: string) => Promise<string | undefined>
  /** Returns the last response of a source for a file. */
  readonly answer: (source: string, path: string) => Promise<CachedAnswer | undefined>
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
async function inTime<T>(work: Promise<T>, waitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer for ${waitMs} ms`)), waitMs)
  })
  try {
    return await Promise.race([work, late])
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
      return await inTime(work(), waitMs)
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
      const packed = await text(`uilm:text:${digest(hash)}`)
      return packed?.startsWith('=') === true ? packed.slice(1) : undefined
    },
    async answer(source, path) {
      const value = await text(`uilm:etag:${digest(`${source}\n${path}`)}`)
      if (value === undefined) return undefined
      try {
        const { etag, hash } = JSON.parse(value) as Partial<CachedAnswer>
        return typeof etag === 'string' && typeof hash === 'string' && /^[\x21-\x7e]+$/.test(etag)
          ? { etag, hash }
          : undefined
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
 * @throws ConfigError for an unsupported URL or a package that is not installed.
 */
export async function openCache(
  cache: string | CacheStorage,
  { root, environment }: { readonly root: string; readonly environment: Environment },
): Promise<CacheStorage> {
  if (typeof cache !== 'string') return cache
  // Loaded on demand, so that builds without a cache do not load it.
  const { createStorage } = await import('unstorage')
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(cache)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined: {
      const { default: driver } = await import('unstorage/drivers/fs-lite')
      return createStorage({ driver: driver({ base: resolve(root, cache) }) })
    }
    case 'http':
    case 'https': {
      const { default: driver } = await import('unstorage/drivers/http')
      return createStorage({ driver: driver({ base: cache }) })
    }
    case 'redis':
    case 'rediss': {
      const driver = await needs('ioredis', () => import('unstorage/drivers/redis'))
      return createStorage({ driver: redisDriver(driver.default, cache) })
    }
    case 's3': {
      const driver = await needs('aws4fetch', () => import('unstorage/drivers/s3'))
      return createStorage({ driver: driver.default(s3Options(cache, environment)) })
    }
    default:
      throw new ConfigError(`The option cache cannot be an address of the kind ${scheme}`, {
        help: 'It is a folder, or an address with http, https, redis, rediss or s3; or a storage of unstorage.',
      })
  }
}

/**
 * Creates a Redis driver without retries. By default ioredis retries an unreachable
 * server for minutes.
 */
function redisDriver(create: typeof createRedisDriver, url: string) {
  let fault: Error | undefined
  const driver = create({
    url,
    base: 'servicekit',
    connectTimeout: 5000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  driver.getInstance!().on('error', (error: Error) => (fault ??= error))
  const saying = async <T>(work: T | Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      // The error of a command only says that the connection is closed.
      throw fault ?? error
    }
  }
  return {
    ...driver,
    getItem: (key: string) => saying(driver.getItem(key)),
    setItem: (key: string, value: string) => saying(driver.setItem!(key, value, {})),
  }
}

async function needs<T>(library: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new ConfigError(`The shared cache needs the package ${library}`, {
      cause,
      help: `Install it: npm install --save-dev ${library}`,
    })
  }
}

function s3Options(cache: string, environment: Environment) {
  const url = new URL(cache)
  const endpoint = url.searchParams.get('endpoint')
  const accessKeyId = environment['AWS_ACCESS_KEY_ID']
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY']
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError('The shared cache on S3 needs credentials', {
      help: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    })
  }
  const region = url.searchParams.get('region') ?? environment['AWS_REGION'] ?? 'us-east-1'
  return {
    accessKeyId,
    secretAccessKey,
    bucket: url.hostname,
    region,
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com/`,
  }
}
