import { ConfigError } from '@servicekit/client'
import type { Io } from '../io.ts'
import type { Service } from './service.ts'
import { parseServiceUrl } from './service.ts'

/** Answers that the flags give, or the user. */
export interface Source {
  /** Service to use; undefined for the sample platform or a folder. */
  readonly service: Service | undefined
  /** Folder of translation files, relative to the application. */
  readonly folder?: string
}

interface Given {
  /** Folder of `--from`. */
  readonly folder: string | undefined
  /** Folders of the application that contain translation files. */
  readonly folders: readonly string[]
  readonly url: string | undefined
  readonly projectKey: string | undefined
  readonly sample: boolean
  readonly io: Io
}

/**
 * Returns the source of the translations. Without flags it prompts for it; without a terminal
 * it is the folder of translation files that the application has, or else the sample platform.
 *
 * @throws ConfigError if the flags contradict each other or are incomplete.
 */
export async function chooseSource({
  folder,
  folders,
  url,
  projectKey,
  sample,
  io,
}: Given): Promise<Source> {
  if (folder !== undefined) {
    if (!sample && url === undefined && projectKey === undefined)
      return { service: undefined, folder }
    throw new ConfigError('Cannot use --from together with --sample, --url or --key', {
      help: 'Unset SERVICEKIT_URL and SERVICEKIT_PROJECT_KEY if they are set.',
    })
  }
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
    if (!io.prompts && folders.length > 0) return { service: undefined, folder: onlyOne(folders) }
    const answer = await io.prompts?.select('Where do the translations come from?', [
      ...folders.map((one) => ({
        value: `folder ${one}`,
        label: `The files in ${one}, which stay where they are`,
      })),
      { value: 'sample', label: 'The sample project, on a local platform (to try it out)' },
      { value: 'service', label: 'A service, with its URL and project key' },
    ])
    const chosen = folders.find((one) => answer === `folder ${one}`)
    if (chosen !== undefined) return { service: undefined, folder: chosen }
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

/** @throws ConfigError if there are several folders. */
function onlyOne(folders: readonly string[]): string {
  const [first, ...others] = folders
  if (others.length === 0) return first!
  throw new ConfigError(`There are translation files in ${folders.join(', ')}`, {
    help: `Add --from ${first}, or --sample.`,
  })
}
