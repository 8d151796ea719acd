import { expect } from 'vitest'
import type { OperationCase, OperationCases } from './operation-case.ts'
import { wrongKeys } from './project-key.ts'
import type { Sent } from './world.ts'

const text = expect.any(String) as string
const begin = (id: string): Sent => ({ path: `/tools/${id}/initiate-oauth`, method: 'POST' })
const tutorial = (id: string, body: unknown): Sent => ({ path: `/tools/tutorial/${id}`, body })
const count = (id: string): Sent => ({ path: `/tools/${id}/agent-count` })
const question = {
  path: '/kb/qa',
  body: {
    project_key: 'P',
    agent_id: '5c7e1a90-0000-4000-8000-000000000001',
    question: 'q',
    answer: 'a',
  },
}
/** Body that rejects one member, in the shape of these routes. */
const detail = (loc: readonly string[], type: string): object => ({
  detail: [{ loc, msg: text, type }],
})
const refused = (when: string, status: number, sent: Sent, body: object): OperationCase => ({
  when,
  status,
  body,
  send: (world) => world.send(sent),
})

/** Cases without a key, and with an unknown one. */
const keyed = (sent: Sent): readonly OperationCase[] => [
  { ...wrongKeys(sent)[0]!, body: detail(['header', 'x-service-key'], 'missing') },
  wrongKeys(sent)[1]!,
]
/** Cases of an unknown tool: 404, or 422 if the dialect says so. */
const noTool = (sent: Sent): readonly OperationCase[] => [
  refused('for a tool that there is not', 404, sent, detail(['path', 'tool_id'], 'not_found')),
  refused(
    'for a tool that there is not, on an instance that says so like this',
    422,
    { ...sent, key: 'U' },
    detail(['path', 'tool_id'], 'not_found'),
  ),
]
const noOauth = detail(['path', 'tool_id'], 'value_error')

/** Cases of section 4.8. */
export const toolCases: OperationCases = {
  'tools.initiateOauth': [
    {
      when: 'for a tool with OAuth',
      status: 200,
      body: {
        tool_id: 'oauth',
        authorization_url: expect.stringContaining('code_challenge_method=S256') as string,
      },
      send: (world) => world.send(begin('oauth')),
    },
    {
      when: 'with the project in the query',
      status: 200,
      send: (world) => world.send({ ...begin('oauth'), query: { project_key: 'P' }, key: null }),
    },
    refused('for a tool without OAuth', 400, begin('plain'), noOauth),
    refused(
      'for a tool without OAuth, on an instance that says so like this',
      422,
      { ...begin('plain'), key: 'U' },
      noOauth,
    ),
    ...noTool(begin('none')),
    ...keyed(begin('oauth')),
  ],
  'tools.saveTutorial': [
    {
      when: 'with documentation fields',
      status: 200,
      body: { is_success: true, item_id: 'plain', error: {} },
      send: (world) =>
        world.send(tutorial('plain', { tutorial: '# T', examples: { send: 'x' }, changelog: 'y' })),
    },
    refused(
      'with an address that is none',
      400,
      tutorial('plain', { documentation_url: 'x' }),
      detail(['body', 'documentation_url'], 'value_error'),
    ),
    refused('with a text that is none', 422, tutorial('plain', { tutorial: 1 }), {
      detail: [{ loc: ['body', 'tutorial'], msg: text }],
    }),
    ...noTool(tutorial('none', {})),
    ...keyed(tutorial('plain', {})),
  ],
  'tools.countAgents': [
    {
      when: 'for a tool that no agent has',
      status: 200,
      body: { success: true, data: 0, message: 'No agents use this tool.', status_code: 200 },
      send: (world) => world.send(count('plain')),
    },
    ...noTool(count('none')),
    ...keyed(count('plain')),
  ],
  'knowledge.add': [
    {
      when: 'with a question and its answer',
      status: 200,
      body: { is_success: true, error: {} },
      send: (world) => world.send(question),
    },
    refused(
      'with a question of white space',
      400,
      { ...question, body: { ...question.body, question: ' ' } },
      detail(['body', 'question'], 'value_error'),
    ),
    refused(
      'for another project than the header’s',
      400,
      { ...question, body: { ...question.body, project_key: 'U' } },
      detail(['body', 'project_key'], 'value_error'),
    ),
    refused(
      'with an agent that is no UUID',
      422,
      { ...question, body: { ...question.body, agent_id: 'x' } },
      { detail: [{ loc: ['body', 'agent_id'], msg: text }] },
    ),
    ...keyed(question),
  ],
}
