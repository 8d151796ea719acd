/** Serves an application with the plugin in development, which reads a project. */
export function startApplication(platform: {
  readonly baseUrl: string
  readonly projectKey: string
}): Promise<{ readonly url: string; readonly close: () => Promise<void> }>
