import { isObject } from '@servicekit/core'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { isHttpUrl } from './is-http-url.ts'
import { operate, pick, nonEmptyString, wrongShape } from './operate.ts'
import type { UploadState } from './signed-upload.ts'
import { listConfigurations, type StorageConfiguration } from './stored-files.ts'
import { printJson } from './print-json.ts'

/** Options of a signed URL. */
export interface PresignOptions extends CallOptions {
  /**
   * Storage configuration. Default: the first of the project. It is looked up with one
   * extra request.
   */
  readonly configurationName?: string
  /** Storage configuration object, to skip the lookup. */
  readonly configuration?: Pick<StorageConfiguration, 'name' | 'strategy'>
  /** `Public`, or another value that the instance supports. */
  readonly accessModifier?: string
  /** Id of the folder. Default: the root folder. */
  readonly parentDirectoryId?: string
  /** Metadata as `{key: {type, value}}`, sent as JSON. */
  readonly metaData?: Readonly<Record<string, unknown>>
  /** Tags, sent as JSON. */
  readonly tags?: readonly string[]
  /** Integer code: `StorageModule` of the contract. */
  readonly moduleName?: number
  /**
   * MD5 of all bytes, in base64. The backend rejects an upload in one piece with another
   * checksum; Azure stores that of a file in parts without verifying it.
   */
  readonly contentMd5?: string
  /** Size of a part in bytes, if the backend supports parts. Default: 8 MiB. */
  readonly partBytes?: number
}

/**
 * Requests a signed URL for a new file.
 *
 * @throws RequestError, OperationError, ResponseShapeError
 * @see section 4.4
 */
export async function presignUpload(
  core: Core,
  name: string,
  options: PresignOptions,
): Promise<UploadState> {
  const { signal, timeoutMs, partBytes = 8 * 2 ** 20, metaData, tags, contentMd5 } = options
  const call = { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) }
  const intent = `get a URL to upload "${name}" to`
  const { configurationName: wanted } = options
  const { name: configurationName = wanted, strategy } =
    options.configuration ??
    (await listConfigurations(core, call)).find((one) => !wanted || one.name === wanted) ??
    ({} as Partial<StorageConfiguration>)
  const raw = await operate(core, routes.storagePresignUpload, {
    ...call,
    intent,
    json: {
      name,
      metaData: metaData && printJson(metaData),
      tags: tags && printJson(tags),
      parentDirectoryId: options.parentDirectoryId,
      accessModifier: options.accessModifier,
      moduleName: options.moduleName,
      projectKey: core.projectKey,
      configurationName,
    },
  })
  const signed = isObject(raw['data']) ? raw['data'] : raw
  const url = pick(signed, 'preSignedUrl', 'uploadUrl', 'url')
  const fileId = nonEmptyString(pick(signed, 'fileId', 'itemId'))
  if (!fileId || !isHttpUrl(url))
    throw wrongShape(core, routes.storagePresignUpload, intent, 'a URL and a fileId')
  const required = pick(signed, 'requiredHeaders')
  const needed = lowerCased(required)
  // Only Azure knows this header, and it requires it.
  const isAzure = strategy === 'azure' || 'x-ms-blob-type' in needed
  const multipartUrl = nonEmptyString(pick(signed, 'multipartUrl'))
  const headers = {
    ...(isAzure && !required && { 'x-ms-blob-type': 'BlockBlob' }),
    ...(contentMd5 && { 'content-md5': contentMd5 }),
    ...needed,
  }
  const parts = isAzure ? 'blocks' : multipartUrl && 'urls'
  return { fileId, url, headers, parts: parts || undefined, partBytes, sentParts: 0, multipartUrl }
}

const lowerCased = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'object' ? '' : String(value),
    ]),
  )
