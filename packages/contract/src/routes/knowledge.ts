import type { Route } from '../route.ts'

/** Adds a question and its answer to an agent's knowledge base. @see section 4.8 */
export const knowledgeAdd = {
  id: 'knowledge.add',
  method: 'POST',
  path: '/kb/qa',
  body: 'json',
  effect: 'create',
} as const satisfies Route
