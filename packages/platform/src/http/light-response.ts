import { getRequestListener } from '@hono/node-server'
import type { MakeResponse } from './answer.ts'

/**
 * Makes responses as the adapter's own class, which a Node server sends without
 * going through a stream. The adapter only offers it in place of the global one;
 * that stays as it is here, since programs run a platform and clients of their own
 * in one process.
 */
export const lightResponse: MakeResponse = (() => {
  const names = ['Request', 'Response'] as const
  const own = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name)!)
  getRequestListener(() => new Response())
  const Light = globalThis.Response
  for (const [index, name] of names.entries()) Object.defineProperty(globalThis, name, own[index]!)
  return (body, init) => new Light(body, init)
})()
