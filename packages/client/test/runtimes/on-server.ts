import { createServerClient, forwardCookies } from '@servicekit/client/server'
import { machine } from '../sample.ts'
import type { Means } from './world.ts'

/** Common to Node, Bun, Deno and workers: no cookie jar, but secrets. */
export const serverMeans: Means = {
  withCookies: (core) => forwardCookies(core, undefined).core,
  machine: async (options) =>
    createServerClient({
      ...options,
      credentials: machine,
    }).core,
  store: () => {
    const kept = new Map<string, string>()
    const store = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    }
    return { store }
  },
}
