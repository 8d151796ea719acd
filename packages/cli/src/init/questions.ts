import { ConfigError } from '@servicekit/client'
import type { Io } from '../io.ts'
import type { Service } from './service.ts'
import { parseServiceUrl } from './service.ts'

/** Answers that the flags give, or the user. */
export interface Source {
  /** Service to use; undefined for the sample platform. */
  readonly service: Service | undefined
}

interface Given {
  readonly url: string | undefined
  readonly projectKey: string | undefined
  readonly sample: boolean
  readonly io: Io
}

/**
 * Returns the source of the translations. Without flags it prompts for it; without a terminal
 * it is the sample platform.
 *
 * @throws ConfigError if the flags contradict each other or are incomplete.
 */
export async function chooseSource({ url, projectKey, sample, io }: Given): Promise<Source> {
  if (sample && (url !== undefined || projectKey !== undefined)) {
    throw new ConfigError('Cannot use --sample together with --url or --key', {
      help: 'Unset SERVICEKIT_URL and SERVICEKIT_PROJECT_KEY if they are set.',
    })
  }
  if (sample) return { service: undefined }
  if (url !== undefined && projectKey !== undefined) {
    return { service: { baseUrl: parseServiceUrl(url, '--url'), projectKey } }
  }
  if (url === undefined && projectKey === undefined) {
    const answer = await io.prompts?.select('Where do the translations come from?', [
      { value: 'sample', label: 'The sample project, on a local platform (to try it out)' },
      { value: 'service', label: 'A service, with its URL and project key' },
    ])
    if (answer !== 'service') return { service: undefined }
  }
  if (!io.prompts) {
    throw new ConfigError(url === undefined ? '--url is required' : '--key is required', {
      help: 'Set --url and --key together, or use --sample.',
    })
  }
  const givenUrl = url ?? (await io.prompts.text('URL of the service', 'https://api.example.com'))
  const baseUrl = parseServiceUrl(givenUrl, 'The URL')
  return { service: { baseUrl, projectKey: projectKey ?? (await io.prompts.text('Project key')) } }
}
