/** Row of section 7: a situation, and the operations and statuses that report it. */
interface Failure {
  readonly situation: string
  readonly answers: readonly (readonly [operation: string, status: number])[]
}

const on = (status: number, ...ids: readonly string[]): Failure['answers'] =>
  ids.map((id) => [id, status] as const)

const tools = ['tools.initiateOauth', 'tools.saveTutorial', 'tools.countAgents']
const files = ['localization.getFile', 'uilm.getFile']

/** Rows of section 7. A status of 200 means a failure that the body reports. */
export const failures: readonly Failure[] = [
  {
    situation: 'Validation failure on tools and knowledge-base routes',
    answers: on(422, 'tools.saveTutorial', 'knowledge.add'),
  },
  {
    situation: 'Tool not found: documented as 404, and shown as 422',
    answers: [...on(404, ...tools), ...on(422, ...tools)],
  },
  {
    situation: 'Tool not configured for OAuth: documented as 400, and shown as 422',
    answers: [...on(400, 'tools.initiateOauth'), ...on(422, 'tools.initiateOauth')],
  },
  {
    situation: 'Invalid tutorial content, question and answer, or agent-count request',
    answers: on(400, 'tools.saveTutorial', 'knowledge.add', 'tools.countAgents'),
  },
  {
    situation: 'GetTranslationSuggestion: fields missing or invalid',
    answers: on(400, 'translation.suggest'),
  },
  {
    situation: 'GetTranslationSuggestion: project key missing or invalid',
    answers: on(401, 'translation.suggest'),
  },
  { situation: 'GetUilmFile: language or module undefined', answers: on(400, ...files) },
  { situation: 'GetUilmFile: project key missing or invalid', answers: on(401, ...files) },
  { situation: 'GetUilmFile: wrong address or nothing found', answers: on(404, ...files) },
  { situation: 'Data gateway operation failure', answers: on(200, 'data.execute') },
  {
    situation: 'Identity and webhook failures',
    answers: on(
      200,
      'iam.createUser',
      'idp.createUser',
      'idp.updateUser',
      'idp.getUser',
      'idp.activate',
      'webhooks.save',
    ),
  },
  {
    situation: 'Session no longer valid',
    answers: on(401, 'auth.getSession', 'iam.getMe', 'iam.listUsers', 'idp.getAccount'),
  },
]
