import { execFileSync } from 'node:child_process'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { curlOf, testOf } from './request-code.ts'

const request = { origin: 'http://platform.local', projectKey: 'P', path: "/a'b\\c?d=$(e)" }

it('writes a command whose arguments the shell does not change', () => {
  const body = { text: `it's "$HOME" \`x\`` }
  const command = curlOf({ ...request, body }).replace(/^curl/, 'printf "%s\\n"')
  const printed = execFileSync('sh', ['-c', command], { env: { TOKEN: 't' }, encoding: 'utf8' })
  expect(printed.split('\n')).toEqual([
    "http://platform.local/a'b\\c?d=$(e)",
    '-H',
    'x-service-key: P',
    '-H',
    'Authorization: Bearer t',
    '-H',
    'content-type: application/json',
    '-d',
    JSON.stringify(body),
    '',
  ])
})

it('writes a test that a path cannot leave', () => {
  const code = testOf(request)
  expect(code).toContain(`fetch('http://platform.local/a\\'b\\\\c?d=$(e)', {`)
  expect(code).not.toContain('method:')
  expect(code).toContain('toBe(200)')
  expect(parseAst(code).body).toHaveLength(2)
})

it('writes a test with a body and another status', () => {
  const code = testOf({ ...request, body: { a: ["'"] }, status: 403 })
  expect(code).toContain(`method: 'POST'`)
  expect(code).toContain(`body: JSON.stringify({"a":["'"]}),`)
  expect(code).toContain('toBe(403)')
  expect(parseAst(code).body).toHaveLength(2)
})
