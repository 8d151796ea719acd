import { projectKeyLength } from '@servicekit/contract/limits'
import { keyHeaders, servicePresets, type ServiceOptions } from '@servicekit/contract/service'
import { isVisibleAscii } from '@servicekit/core'
import { ConfigError } from './errors.ts'
import { type Headers, readHeaders } from './headers.ts'
import { isHttpUrl } from './is-http-url.ts'

/** Description of an instance with the defaults of its preset. */
export interface ResolvedService {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly projectKey: string
  /** In lower case. */
  readonly keyHeader: string
  /** Headers of every request, including that of the project key. */
  readonly headers: Headers
}

/**
 * Resolves the description of an instance.
 *
 * @throws ConfigError with the name of the missing or invalid option.
 */
export function resolveService(options: ServiceOptions): ResolvedService {
  const { preset = 'interface' } = options
  if (!servicePresets.includes(preset)) {
    throw new ConfigError(`preset must be ${servicePresets.join(' or ')} (received "${preset}")`)
  }
  const { keyHeader = keyHeaders[preset] } = options
  const projectKey = readProjectKey(options.projectKey)
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    projectKey,
    headers: { ...readHeaders(options.headers), ...readHeaders({ [keyHeader]: projectKey }) },
    keyHeader: keyHeader.toLowerCase(),
  }
}

function readBaseUrl(value: unknown): string {
  const url = isHttpUrl(value) ? new URL(value) : undefined
  if (!url || url.username || url.password) {
    throw new ConfigError(
      'baseUrl must be an http or https URL without user name and password, such as https://api.example.com',
      {
        // The part before an @ may be a password.
        details: { baseUrl: typeof value === 'string' ? value.replace(/^.*@/s, '…@') : undefined },
      },
    )
  }
  return url.href.replace(/\/*([?#].*)?$/, '')
}

function readProjectKey(value: unknown): string {
  if (typeof value !== 'string' || !isVisibleAscii(value) || value.length > projectKeyLength) {
    throw new ConfigError(
      `projectKey must have 1 to ${projectKeyLength} visible ASCII characters`,
      {
        help: 'Use the key of your project. `servicekit dev` prints that of the local one.',
      },
    )
  }
  return value
}
