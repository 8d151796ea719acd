import { readConfig } from '../../server/src/config/resolve-config.ts'
import type { ServerConfig, Settings } from '../../server/src/config/settings.ts'
import { createLog, type Entry } from '../../server/src/log.ts'
import { startServer } from '../../server/src/start-server.ts'

export const controlToken = 'canary-control-token'

/** Returns valid settings with the defaults, as far as they are given. */
export async function settingsOf(given: ServerConfig): Promise<Settings> {
  const empty = { flags: new Map(), env: {}, folder: import.meta.dirname }
  const { config } = await readConfig(empty)
  const groups = Object.entries(given).map(([name, value]) => {
    const known: unknown = config.settings[name as keyof Settings]
    const isGroup = typeof known === 'object' && !Array.isArray(known)
    return [name, isGroup ? { ...known, ...(value as object) } : value]
  })
  return { ...config.settings, ...(Object.fromEntries(groups) as Settings) }
}

/** Starts a server on free ports of this machine, and records its log. */
export async function openServer(given: ServerConfig) {
  const lines: string[] = []
  const settings = await settingsOf({
    publicUrl: 'http://platform.local',
    secret: 'canary-secret-of-the-server',
    controlToken,
    // For tests that advance the clock.
    development: true,
    host: '127.0.0.1',
    port: 0,
    ...given,
    metrics: { port: 0, ...given.metrics },
    shutdown: { delayMs: 0, ...given.shutdown },
  })
  const server = await startServer(
    settings,
    createLog(settings.log.level, (line) => lines.push(line)),
  )
  return {
    ...server,
    lines,
    /** Returns the log entries of an event. */
    entries: (event: string): readonly Entry[] =>
      lines.map((line) => JSON.parse(line) as Entry).filter((entry) => entry.event === event),
    send: (path: string, init?: RequestInit): Promise<Response> =>
      fetch(`${server.baseUrl}${path}`, { redirect: 'manual', ...init }),
    control: (method: string, path: string, body?: unknown): Promise<Response> =>
      fetch(`${server.baseUrl}/_platform${path}`, {
        method,
        headers: { authorization: `Bearer ${controlToken}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
