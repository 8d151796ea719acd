import { getRequestListener } from '@hono/node-server'
import type { MakeResponse } from './answer.ts'

/**
 * Creates responses with the adapter's own class, which a Node server sends without a
 * stream. The adapter only exposes the class as a replacement of the global one. Restore
 * the global, because a program may run a platform and its own clients in one process.
 */
export const lightResponse: MakeResponse = (() => {
  const names = ['Request', 'Response'] as const
  const own = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name)!)
  getRequestListener(() => new Response())
  const Light = globalThis.Response
  for (const [index, name] of names.entries()) Object.defineProperty(globalThis, name, own[index]!)
  return (body, init) => new Light(body, init)
})()
