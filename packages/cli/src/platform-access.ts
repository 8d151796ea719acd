import { ConfigError } from '@servicekit/client'
import { type Control, createControl } from '@servicekit/client/control'
import { environmentFetch } from '@servicekit/client/proxy'
import { controlTokenName, sharedProjectKey } from '@servicekit/core'
import { findLocalPlatform, localPlatformUrl } from '@servicekit/catalog/config'
import { printExactJson } from '@servicekit/core/exact-json'
import { readFileSync } from 'node:fs'

/** Flags of the commands that access a running platform. */
export const platformFlags = {
  'base-url': {
    type: 'string',
    valueHint: 'URL',
    description:
      'URL of the platform (default: SERVICEKIT_URL, then that of `servicekit dev` in this folder or one above it, then http://127.0.0.1:4600)',
  },
} as const

/**
 * Creates the client of a running platform. Its token, if it has one, is read from
 * SERVICEKIT_CONTROL_TOKEN, or from the file that SERVICEKIT_CONTROL_TOKEN_FILE names.
 */
export function accessPlatform(given: string | undefined, signal: AbortSignal): Control {
  const named = given ?? (process.env['SERVICEKIT_URL'] || undefined)
  const text = named ?? findLocalPlatform('.') ?? localPlatformUrl
  // `localhost:4600` is a valid URL too, with the scheme localhost.
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    const name = given === undefined ? 'SERVICEKIT_URL' : '--base-url'
    throw new ConfigError(
      `${name} must be an http or https URL such as ${localPlatformUrl} (received "${text}")`,
    )
  }
  const baseUrl = new URL(text).origin
  const token = readControlToken()
  return createControl({ baseUrl, token, signal, fetch: environmentFetch(), print: printExactJson })
}

/** Returns the control token. Servers read the same variables. @throws ConfigError */
function readControlToken(): string | undefined {
  const token = process.env[controlTokenName]
  const path = process.env[`${controlTokenName}_FILE`]
  if (token || !path) return token
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new ConfigError(`Cannot read ${path}, which ${controlTokenName}_FILE names`, { cause })
  }
}

/** Returns a value that can be a part of an address. @throws ConfigError for "." and ".." */
export function requireAddressable(value: string, noun: string): string {
  if (value !== '.' && value !== '..') return value
  throw new ConfigError(`The ${noun} is not valid (received "${value}")`)
}

/** Returns the given project key, or that of the only project. @throws ConfigError */
export async function projectKeyOf(control: Control, given: string | undefined): Promise<string> {
  const named = given ?? process.env['SERVICEKIT_PROJECT_KEY']
  if (named) return requireAddressable(named, 'project key')
  const projects = await control.send('GET /projects')
  const keys = projects.map(({ key }) => key).filter((key) => key !== sharedProjectKey)
  if (keys.length === 1) return keys[0]!
  throw new ConfigError(
    keys.length === 0 ? 'The platform has no project' : 'The platform has several projects',
    { help: `Add --project-key KEY${keys.length === 0 ? '' : `, one of ${keys.join(', ')}`}.` },
  )
}
