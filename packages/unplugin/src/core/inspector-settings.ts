import { isLoopbackUrl } from '@servicekit/core'
import type { InspectOptions } from '../options.ts'

/** Settings of the inspector in the page. */
export interface InspectorSettings {
  readonly modifier: NonNullable<InspectOptions['modifier']>
  /** URL template of a key with `{module}`, `{key}` and `{language}`. */
  readonly url: string | undefined
  /** Origins of the console that may show the page in a frame and see its keys. */
  readonly consoles: readonly string[]
}

/** Page of a key in the console of a local platform. */
const platformPage = '/console/translations/{module}/{key}?project={projectKey}&language={language}'

/** Fills in the placeholders that only the plugin knows. */
export function inspectorSettings(
  { modifier = 'alt', url }: InspectOptions,
  project: { readonly baseUrl: string | undefined; readonly projectKey: string | undefined },
): InspectorSettings {
  const { baseUrl, projectKey } = project
  const isLocal = baseUrl !== undefined && projectKey !== undefined && isLoopbackUrl(baseUrl)
  const { protocol, port } = isLocal ? new URL(baseUrl) : {}
  const template = url ?? (isLocal ? new URL(baseUrl).origin + platformPage : undefined)
  return {
    modifier,
    url: template
      ?.replaceAll('{baseUrl}', project.baseUrl ?? '')
      .replaceAll('{projectKey}', encodeURIComponent(project.projectKey ?? '')),
    consoles: isLocal
      ? ['localhost', '127.0.0.1'].map((host) => `${protocol}//${host}:${port}`)
      : [],
  }
}
