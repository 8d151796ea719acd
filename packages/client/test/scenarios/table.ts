import { operate } from '../../src/operate.ts'
import { listUsers } from '../../src/iam.ts'
import { getFile } from '../../src/localization.ts'
import { type Echo, escapes } from './escapes.ts'
import type { Answer, Outcome, Scenario } from './scenario.ts'

/** Outcome of a request that returns `{ok: true}`. */
const succeeded: Partial<Outcome> = {
  result: 'value',
  value: { ok: true },
  requests: 1,
  pauses: [],
  message: undefined,
  details: undefined,
}

const transient = [408, 425, 500, 502, 503, 504]
const final = [400, 401, 403, 404, 406, 409, 418, 422, 423, 501, 505, 599]

const statuses: readonly Scenario[] = [
  ...transient.map((status) => ({
    name: `status ${status} is retried`,
    answers: [{ status }, { status }, { body: { ok: true } }],
    expected: { result: 'value', requests: 3, pauses: [2, 4] },
    // Chromium itself sends a request again after 408 on a connection that it used before.
    ...(status === 408 && { varies: ['pauses' as const] }),
  })),
  ...final.map((status) => ({
    name: `status ${status} is final`,
    answers: [{ status, body: { title: 'No' } }],
    expected: { result: 'REQUEST_REFUSED', status, requests: 1, body: { title: 'No' } },
  })),
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `redirect ${status} is not followed`,
    answers: [{ status, headers: { location: 'https://ada:canary@a.test/b?code=secret7' } }],
    secrets: ['secret7', 'canary'],
    expected: { result: 'REQUEST_REFUSED', status, requests: 1, shown: [] },
    // Browsers hide redirects.
    inBrowser: {
      status: 0,
      body: undefined,
      message: 'Cannot try: the service responded with 0',
      details: { project: 'P1', url: '<base>/read', operation: 'test.read', attempts: 1 },
    },
  })),
  {
    name: 'status 204 has no value',
    answers: [{ status: 204 }],
    expected: { result: 'value', value: undefined, requests: 1 },
  },
  {
    name: 'status 304 is refused',
    answers: [{ status: 304 }],
    expected: { result: 'REQUEST_REFUSED', status: 304, requests: 1 },
  },
  {
    name: 'status 103 before the response is skipped',
    answers: [{ fault: 'hints', body: { ok: true } }],
    expected: { result: 'value', value: { ok: true }, requests: 1 },
  },
  {
    name: 'status 100 that was not requested, before the response',
    answers: [{ fault: 'continue', body: { ok: true } }],
    // undici refuses it.
    expected: { result: 'REQUEST_FAILED', requests: 3 },
    overFetch: succeeded,
  },
  {
    name: 'a 429 is retried longer than other statuses',
    answers: [{ status: 429 }],
    options: { retry: { attempts: 2, baseDelayMs: 10, maxDelayMs: 10 } },
    expected: { result: 'RATE_LIMITED', requests: 5, pauses: [10, 10, 10, 10] },
  },
  {
    name: 'a create is retried after 429, not after 503',
    answers: [{ status: 429 }, { status: 503 }],
    call: (_, send) => send({ effect: 'create', json: {} }),
    expected: { result: 'REQUEST_REFUSED', status: 503, requests: 2 },
  },
]

const date = 'Mon, 05 Jan 2026 12:00:00 GMT'
const waits: readonly [value: string, ms: number | undefined][] = [
  ['1', 1000],
  ['0.5', 500],
  ['0', 0],
  [' 7 ', 7000],
  ['Mon, 05 Jan 2026 12:00:03 GMT', 3000],
  ['Monday, 05-Jan-26 12:00:03 GMT', 3000],
  ['Mon Jan  5 12:00:03 2026', 3000],
  ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
  ['1e3', undefined],
  ['0x1', undefined],
  ['-5', undefined],
  ['+5', undefined],
  ['Infinity', undefined],
  ['NaN', undefined],
  ['soon', undefined],
  ['', undefined],
  ['1, 2', undefined],
  ['1s', undefined],
  ['2026-01-05T12:00:03Z', undefined],
]
const retryAfter: readonly Scenario[] = [429, 503].flatMap((status) => [
  ...waits.map(([value, ms]): Scenario => ({
    name: `${status} with Retry-After ${JSON.stringify(value)}`,
    answers: [{ status, headers: { date, 'retry-after': value } }],
    options: { retry: { attempts: 2, baseDelayMs: 1, maxDelayMs: 1 } },
    expected: { status, retryAfterMs: ms, shown: [] },
  })),
  {
    name: `${status} with a Retry-After of one day is final`,
    answers: [{ status, headers: { date, 'retry-after': '86400' } }],
    expected: { status, retryAfterMs: 86_400_000, requests: 1, pauses: [] },
  },
])

const value = (name: string, answer: Answer, expected: unknown): Scenario => ({
  name: `200 with ${name}`,
  answers: [answer],
  expected: { result: 'value', value: expected, requests: 1 },
})
const invalid = (name: string, answer: Answer, more: Partial<Scenario> = {}): Scenario => ({
  name: `200 with ${name}`,
  answers: [answer],
  expected: { result: 'RESPONSE_INVALID', requests: 1 },
  ...more,
})
const broken = (name: string, answer: Answer, more: Partial<Scenario> = {}): Scenario => ({
  name: `200 with ${name}`,
  answers: [answer],
  expected: { result: 'REQUEST_FAILED', status: undefined, requests: 3 },
  // Engines have their own messages, and send a read again on a new connection.
  varies: ['message', 'requests'],
  ...more,
})
const bodies: readonly Scenario[] = [
  value('an empty body', { body: '' }, undefined),
  value('blanks', { body: ' \n' }, undefined),
  value('null', { body: 'null' }, null),
  value('an array', { body: [1, 2] }, [1, 2]),
  value('a string', { body: '"text"' }, 'text'),
  value('a byte order mark', { bytes: '\xef\xbb\xbf{"a":1}' }, { a: 1 }),
  value('Latin-1', { bytes: '{"a":"\xe9"}' }, { a: '\ufffd' }),
  value('gzip', { body: { a: 'é' }, encoding: 'gzip' }, { a: 'é' }),
  ...['utf-8', 'none', 'aws-chunked'].map((encoding) =>
    value(
      `the unknown encoding ${encoding}`,
      { body: { a: 1 }, headers: { 'content-encoding': encoding } },
      { a: 1 },
    ),
  ),
  invalid('an encoding that was not requested', {
    bytes: '\x1f\x9d\x90{',
    headers: { 'content-encoding': 'compress' },
  }),
  value('duplicate keys', { body: '{"a":1,"a":2}' }, { a: 2 }),
  value('__proto__', { body: '{"__proto__":{"a":1},"b":2}' }, { ['__proto__']: { a: 1 }, b: 2 }),
  value('no content type', { body: '{"a":1}', headers: { 'content-type': '' } }, { a: 1 }),
  value('content-length 0', { body: '', headers: { 'content-length': '0' } }, undefined),
  value('a slow body', { body: { a: 1 }, fault: 'slow' }, { a: 1 }),
  invalid('HTML', { body: '<html><title>Sign in</title></html>' }),
  invalid('truncated JSON', { body: '{"a": [1, 2' }),
  invalid('a comma too many', { body: '{"a": 1,}' }),
  invalid('a long text', { body: 'word '.repeat(500) }),
  broken('a reset connection', { fault: 'reset' }),
  broken('a body shorter than its length', { body: { a: 1 }, fault: 'cut' }),
  {
    name: '200 that never comes',
    answers: [{ fault: 'hang' }],
    options: { timeoutMs: 500, retry: { attempts: 1 } },
    expected: { result: 'REQUEST_TIMED_OUT', requests: 1 },
  },
  {
    name: '200 with a body above the limit',
    answers: [{ body: { a: 'x'.repeat(5000) } }],
    options: { maxBytes: 1000 },
    expected: { result: 'RESPONSE_TOO_LARGE', requests: 1 },
  },
  {
    name: '200 with a compressed body above the limit',
    answers: [{ body: { a: 'x'.repeat(50_000) }, encoding: 'gzip' }],
    options: { maxBytes: 1000 },
    expected: { result: 'RESPONSE_TOO_LARGE', requests: 1 },
  },
]

const refusalBodies: readonly [name: string, body: unknown, message: string | undefined][] = [
  ['text', 'Not today', 'Not today'],
  ['PascalCase', { Errors: { Message: 'No such project' }, IsSuccess: false }, 'No such project'],
  ['problem+json', { title: 'Broken', status: 400, detail: 'No disk' }, 'Broken: No disk'],
  ['detail[]', { detail: [{ loc: ['body', 'a'], msg: 'Required' }] }, 'body.a: Required'],
  ['errors', { isSuccess: false, errors: { email: ['is taken'] } }, 'email: is taken'],
  ['OIDC', { error: 'invalid_grant', error_description: 'Used' }, 'invalid_grant: Used'],
  ['HTML', '<html><title>Bad gateway</title><body>x</body></html>', 'Bad gateway'],
  ['a long text', 'long '.repeat(2000), undefined],
  ['nothing', '', undefined],
  ['null', 'null', undefined],
  ['control characters', { message: 'a\u001b[2J\nb' }, undefined],
]
const refusals: readonly Scenario[] = [
  ...refusalBodies.map(([name, body, message]): Scenario => ({
    name: `400 with ${name}`,
    answers: [{ status: 400, body }],
    expected: {
      result: 'REQUEST_REFUSED',
      status: 400,
      requests: 1,
      ...(message && {
        details: {
          project: 'P1',
          url: '<base>/read',
          operation: 'test.read',
          attempts: 1,
          message,
        },
      }),
    },
  })),
  ...(
    [
      ['isSuccess false', { isSuccess: false, errors: { a: 'b' } }, 'OPERATION_FAILED'],
      ['PascalCase', { IsSuccess: false, Errors: { Message: 'No' } }, 'OPERATION_FAILED'],
      ['success false', { success: false, errorMessage: 'Not saved' }, 'OPERATION_FAILED'],
      ['errors', { isSuccess: true, errors: { a: 'b' } }, 'OPERATION_FAILED'],
      ['validationErrors', { validationErrors: { a: ['b'] } }, 'OPERATION_FAILED'],
      ['HTML', '<html>', 'RESPONSE_INVALID'],
      ['a list', '[]', 'RESPONSE_INVALID'],
      ['a text', '"x"', 'RESPONSE_INVALID'],
    ] as const
  ).map(([name, body, result]): Scenario => ({
    name: `200 with a refusal as ${name}`,
    answers: [{ body }],
    call: (core) => operate(core, route, { intent: 'try' }),
    expected: { result, requests: 1 },
  })),
]

const route = {
  id: 'test.operate',
  method: 'POST',
  path: '/operate',
  effect: 'create',
} as const

const passwords: readonly [kind: string, secret: string][] = [
  ['ASCII with punctuation', 'tr0ub4dor&"3"/\\'],
  ['five characters', 'k7#pq'],
  ['five digits', '48213'],
  ['blanks, & = and é', 'a b&c=é d'],
  ['Chinese', '密码安全得很'],
  ['two Chinese characters', '密码'],
  ['exclamation marks', '!!!!!!!!'],
  ['one exclamation mark', '!'],
  ['underscores', '________'],
  ['an ordinary word', 'sunflower'],
  ['an emoji', '🔑🔑🔑🔑'],
  ['a word with umlauts', 'Grüße'],
]
const echoes: readonly Echo[] = [
  'as it is',
  'JSON',
  'ASCII JSON',
  'URL',
  'URL in a URL',
  'form',
  'HTML',
  'base64',
]
const echoed: readonly Scenario[] = [
  ...[400, 200].flatMap((status) =>
    passwords.flatMap(([kind, secret]) =>
      echoes.map((echo): Scenario => ({
        name: `${status} that echoes ${kind} ${echo}`,
        answers: [{ status, body: '{"isSuccess":false,"errors":{"a":"({{request}})"}}', echo }],
        call: (core) =>
          operate(core, route, { intent: 'try', json: { secret }, secrets: [secret] }),
        // Punctuation alone is part of every error.
        secrets: echoes.map((form) => `(${escapes[form](secret)})`),
        expected: {
          result:
            status === 400
              ? 'REQUEST_REFUSED'
              : secret.includes('"') && echo === 'as it is'
                ? 'RESPONSE_INVALID'
                : 'OPERATION_FAILED',
          shown: [],
        },
      })),
    ),
  ),
  ...[400, 200].flatMap((status) =>
    echoes.map((echo): Scenario => ({
      name: `${status} that echoes the authorization header ${echo}`,
      answers: [{ status, body: '{"isSuccess":false,"errors":{"a":"{{request}}"}}', echo }],
      options: { headers: { authorization: 'Bearer canary+token/==' } },
      call: (core) => operate(core, { ...route, method: 'GET' }, { intent: 'try' }),
      secrets: ['canary', 'Y2FuYXJ5', 'QmVhcmVyIGNhbmFyeSt0b2tlbi89PQ=='],
      expected: { shown: [] },
    })),
  ),
  {
    name: '400 that echoes a signed URL',
    answers: [{ status: 400, body: { message: 'No https://s.test/a?sig=canary&se=1 here' } }],
    secrets: ['canary'],
    expected: { result: 'REQUEST_REFUSED', shown: [] },
  },
  {
    name: '400 that echoes a signed URL in a URL',
    answers: [{ status: 400, body: { message: 'https%3A%2F%2Fs.test%2Fa%3Fsig%3Dcanary' } }],
    secrets: ['canary'],
    expected: { result: 'REQUEST_REFUSED', shown: [] },
  },
  {
    name: '200 that is HTML with a signed URL',
    answers: [{ body: '<a href="https://s.test/a?sig=canary">' }],
    secrets: ['canary'],
    expected: { result: 'RESPONSE_INVALID', shown: [] },
  },
  {
    name: '400 with a short header',
    answers: [{ status: 400, body: { message: 'version 1 is old' } }],
    options: { headers: { 'x-version': '1' } },
    expected: { result: 'REQUEST_REFUSED', body: { message: 'version 1 is old' } },
  },
  {
    name: '400 that cuts a secret',
    answers: [{ status: 400, body: 'You sent canary-secre' }],
    call: (_, send) => send({ secrets: ['canary-secret'] }),
    secrets: ['canary'],
    expected: { result: 'REQUEST_REFUSED', body: 'You sent [not shown]', shown: [] },
  },
]

const integers = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', 1.5, null, 2 ** 53]
const refusedOptions: readonly (readonly [name: string, value: unknown])[] = [
  ...['timeoutMs', 'totalTimeoutMs', 'maxBytes', 'maxConcurrency'].flatMap((name) =>
    integers.map((given) => [name, given] as const),
  ),
  ['timeoutMs', 2 ** 31],
  ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, '3', 101].map(
    (attempts) => ['retry', { attempts }] as const,
  ),
  ...[-1, Number.NaN, '1', null].map((baseDelayMs) => ['retry', { baseDelayMs }] as const),
  ...[-1, Number.NaN].map((maxDelayMs) => ['retry', { maxDelayMs }] as const),
  ['retry', { attempt: 1 }],
  ...['retry', 'headers', 'hooks', 'runtime', 'transport'].flatMap((name) =>
    [null, 'x', 7, []].map((given) => [name, given] as const),
  ),
  ['timeoutMS', 1],
  ['hooks', { onError: null }],
  ['runtime', { clock: null }],
  ['transport', {}],
  ['headers', { 'x-a': 1 }],
  ['headers', { 'x-a': undefined }],
  ['headers', { 'x-a': 'canary\r\nx-b: c' }],
  ['headers', { 'x-a': 'canary ☃' }],
  ['headers', { 'x a': 'b' }],
  ['headers', { '': 'b' }],
  ['headers', new Map([['x-a', 'canary']])],
  ['headers', new Headers({ 'x-b': 'canary' })],
  ['projectKey', ''],
  ['projectKey', ' P1'],
  ['projectKey', 'k'.repeat(65)],
  ['projectKey', 'Pü'],
  ['projectKey', 'P1\n'],
  ['projectKey', 7],
  ['projectKey', undefined],
  ['baseUrl', 'ftp://a.test'],
  ['baseUrl', 'http://ada:canary@a.test'],
  ['baseUrl', 'http://:canary@a.test'],
  ['baseUrl', 'http://canary@a.test'],
  ['baseUrl', '/relative'],
  ['baseUrl', 'a.test'],
  ['baseUrl', ''],
  ['baseUrl', 'javascript:alert(1)'],
  ['baseUrl', 7],
  ['baseUrl', null],
]
const shownOf = (given: unknown): string =>
  given instanceof Map || given instanceof Headers
    ? given.constructor.name
    : typeof given === 'object' && given !== null && !Array.isArray(given)
      ? `{${Object.entries(given).map(([name, one]) => `${name}: ${String(one)}`)}}`
      : typeof given === 'string'
        ? JSON.stringify(given)
        : Array.isArray(given)
          ? '[]'
          : String(given)
const options: readonly Scenario[] = [
  ...refusedOptions.map(([name, given]): Scenario => ({
    name: `option ${name}: ${shownOf(given)} is refused`,
    answers: [],
    options: { [name]: given },
    secrets: ['canary'],
    expected: { result: 'CONFIG_INVALID', requests: 0, shown: [] },
  })),
  ...(
    [
      ['timeoutMs', undefined],
      ['timeoutMs', 2 ** 31 - 1],
      ['maxConcurrency', 1],
      ['retry', {}],
      ['retry', { attempts: undefined }],
      ['headers', undefined],
      ['headers', { 'X-A': ' b ' }],
      ['headers', { 'x-a': 'b', 'X-A': 'c' }],
      ['headers', { 'X-Service-Key': 'other' }],
      ['headers', { 'x-service-key': 'other' }],
      ['headers', { 'x-a': 'é' }],
      ['hooks', {}],
      ['hooks', undefined],
      ['runtime', {}],
      ['runtime', { now: undefined }],
      ['transport', undefined],
    ] as const
  ).map(([name, given]): Scenario => ({
    name: `option ${name}: ${shownOf(given)} is accepted`,
    answers: [{ body: { ok: true } }],
    options: { [name]: given },
    expected: { result: 'value', value: { ok: true }, requests: 1 },
  })),
]

/** Addresses, relative to that of the scenario. */
const baseUrls: readonly Scenario[] = [
  ['with slashes at its end', '{base}///'],
  ['with a query and a fragment', '{base}?x=1#y'],
  ['with blanks around it', ' {base} '],
  ['with dots', '{base}/a/..'],
  ['with backslashes', '{base}\\'],
].map(([name, baseUrl]): Scenario => ({
  name: `a base URL ${name} is accepted`,
  answers: [{ body: { ok: true } }],
  baseUrl: baseUrl!,
  expected: { result: 'value', value: { ok: true }, requests: 1 },
}))

const aborted = (reason?: unknown): AbortSignal => {
  const controller = new AbortController()
  controller.abort(reason)
  return controller.signal
}
const calls: readonly Scenario[] = [
  ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', 2.5, null].map((timeoutMs): Scenario => ({
    name: `a call with timeoutMs ${shownOf(timeoutMs)} is refused`,
    answers: [],
    call: (_, send) => send({ timeoutMs: timeoutMs as number }),
    expected: { result: 'CONFIG_INVALID', requests: 0 },
  })),
  {
    name: 'a call with timeoutMs ends in time',
    answers: [{ fault: 'hang' }],
    options: { retry: { attempts: 1 } },
    call: (_, send) => send({ timeoutMs: 500 }),
    expected: { result: 'REQUEST_TIMED_OUT', requests: 1 },
  },
  {
    name: 'a call that was aborted before sends nothing',
    answers: [{}],
    call: (_, send) => send({ signal: aborted() }),
    expected: { result: 'REQUEST_ABORTED', requests: 0 },
  },
  {
    name: 'a call that was aborted before with a reason sends nothing',
    answers: [{}],
    call: (_, send) => send({ signal: aborted(new Error('enough')) }),
    expected: { result: 'REQUEST_ABORTED', requests: 0 },
  },
  {
    name: 'a call that is aborted in flight',
    answers: [{ fault: 'hang' }],
    call: (_, send) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort('enough'), 500)
      return send({ signal: controller.signal })
    },
    expected: { result: 'REQUEST_ABORTED', requests: 1 },
  },
  {
    name: 'a call that is aborted during a pause',
    answers: [{ status: 503 }],
    options: { runtime: {}, retry: { baseDelayMs: 60_000, maxDelayMs: 60_000 } },
    call: (_, send) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 500)
      return send({ signal: controller.signal })
    },
    expected: { result: 'REQUEST_ABORTED', requests: 1 },
  },
  ...(['read', 'create'] as const).map((effect): Scenario => ({
    name: `a ${effect} at a refused connection`,
    answers: [],
    baseUrl: '{closed}',
    call: (_, send) => send(effect === 'create' ? { effect, json: {} } : {}),
    expected: { result: 'REQUEST_FAILED', pauses: [2, 4] },
    // Most `fetch` functions do not tell whether anything was sent: a create is then final.
    varies: effect === 'create' ? ['message', 'pauses', 'details'] : ['message'],
  })),
  {
    name: 'a path with dots is refused',
    answers: [],
    call: (_, send) => send({ path: { itemId: '..' } }),
    expected: { result: 'TypeError', requests: 0 },
  },
  {
    name: 'a path with an empty value is refused',
    answers: [],
    call: (_, send) => send({ path: { itemId: '' } }),
    expected: { result: 'TypeError', requests: 0 },
  },
  {
    name: 'a path with a lone surrogate is sent',
    answers: [{ body: { ok: true } }],
    call: (_, send) => send({ path: { itemId: 'a\ud800/b' } }),
    expected: { result: 'value', requests: 1 },
  },
  {
    name: 'page 0 is refused',
    answers: [],
    call: (core) => listUsers(core).page(0),
    expected: { result: 'TypeError', requests: 0 },
  },
  ...(
    [
      ['null', 'null'],
      ['a number', '7'],
      ['an object without rows', '{}'],
      ['rows that are no list', '{"data":7}'],
    ] as const
  ).map(([name, body]): Scenario => ({
    name: `a list that is ${name}`,
    answers: [{ body }],
    call: (core) => listUsers(core).page(1),
    expected: { result: 'RESPONSE_INVALID', requests: 1 },
  })),
  {
    name: 'a translation file that is empty',
    answers: [{ body: '' }],
    call: (core) => getFile(core, { language: 'de-DE', module: 'auth' }),
    expected: { requests: 1 },
  },
  {
    name: 'a hook that throws before ends the call',
    answers: [{}],
    options: {
      hooks: {
        before: () => {
          throw new Error('no trace')
        },
      },
    },
    expected: { result: 'REQUEST_FAILED', requests: 0, message: 'Cannot try: no trace' },
  },
  {
    name: 'a hook that throws after is ignored',
    answers: [{ body: { ok: true } }],
    options: {
      hooks: {
        after: () => {
          throw new Error('no trace')
        },
      },
    },
    expected: { result: 'value', requests: 1 },
  },
  {
    name: 'a hook that returns a bad header ends the call',
    answers: [{}],
    options: { hooks: { before: () => ({ 'x a': 'canary' }) } },
    secrets: ['canary'],
    expected: { result: 'CONFIG_INVALID', requests: 0, shown: [] },
  },
  {
    name: '100 calls with a concurrency of 2',
    answers: [{ body: 1 }],
    options: { maxConcurrency: 2 },
    call: async (_, send) => (await Promise.all(Array.from({ length: 100 }, () => send()))).length,
    expected: { result: 'value', value: 100, requests: 100 },
  },
  {
    name: 'a renewal that helps sends the request again, without a pause',
    answers: [{ status: 401 }, { body: { ok: true } }],
    options: { retry: { attempts: 1 } },
    call: (_, send) => send({ renew: async () => 'renewed' }),
    expected: { result: 'value', requests: 2, pauses: [] },
  },
  {
    name: 'a renewal that does not help is not repeated',
    answers: [{ status: 401 }],
    call: (_, send) => send({ renew: async () => 'renewed' }),
    expected: { result: 'REQUEST_REFUSED', status: 401, requests: 2 },
  },
  {
    name: 'a renewal that failed',
    answers: [{ status: 401 }],
    call: (_, send) => send({ renew: async () => 'failed' }),
    expected: { result: 'REQUEST_REFUSED', status: 401, requests: 1 },
  },
]

/** Scenarios in which all builds of the client behave alike. */
export const scenarios: readonly Scenario[] = [
  ...statuses,
  ...retryAfter,
  ...bodies,
  ...refusals,
  ...echoed,
  ...options,
  ...baseUrls,
  ...calls,
]
