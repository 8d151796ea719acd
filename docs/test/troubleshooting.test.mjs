import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../packages/workspace/lib/root.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')
const headings = [...read('docs/guides/troubleshooting.md').matchAll(/^### (.+)$/gm)].map(
  ([, text = '']) => text,
)

/** Unions of codes, by the file that declares them. */
const unions = /** @type {const} */ ([
  ['packages/client/src/errors.ts', 'ErrorCode'],
  ['packages/codegen/src/errors.ts', 'CodegenErrorCode'],
  ['packages/platform/src/errors.ts', 'PlatformErrorCode'],
  ['packages/cli/src/doctor/finding.ts', 'FindingCode'],
  ['packages/catalog/src/model/problem.ts', 'ProblemCode'],
  ['packages/codegen/src/problem.ts', 'ProblemCode'],
])

/** @param {string} path @param {string} name */
function codesOf(path, name) {
  const [, members = ''] = new RegExp(`type ${name} =\\n((?:\\s+\\| '\\w+'\\n?)+)`).exec(
    read(path),
  ) ?? [undefined, '']
  return [...members.matchAll(/'(\w+)'/g)].map(([, code = '']) => code)
}

it('explains every code of an error, a finding and a problem, and no other', () => {
  const codes = unions.map(([path, name]) => codesOf(path, name))
  expect(codes.filter((list) => list.length < 5)).toEqual([])
  // Failures of generated code, but not the issues of its validators, which forms show.
  const runtime = readdirSync(join(root, 'packages/codegen/runtime'))
    .filter((name) => /^[\w-]+\.ts$/.test(name) && name !== 'gateway-validate.ts')
    .map((name) => read(`packages/codegen/runtime/${name}`).replaceAll(/^\s*(?:\*|\/\/).*$/gm, ''))
  const failures = runtime.flatMap((text) =>
    [...text.matchAll(/(?:\bcode: |\bfailure\([^)]*, )'([A-Z]+_[A-Z_]+)'/g)].map(
      ([, code = '']) => code,
    ),
  )
  expect(failures).toContain('VALUE_INVALID')
  expect(failures).toContain('ROWS_MOVED')
  codes.push(failures)
  // Printed by the command line for what is no error of ours.
  const all = new Set([...codes.flat(), 'STOPPED', 'UNEXPECTED'])
  const explained = headings.filter((text) => !text.startsWith('Rule '))
  expect(explained.toSorted()).toEqual([...all].toSorted())
})

it('explains every rule of servicekit check, and no other', () => {
  const [, body = ''] = /const rules: [^=]+= \{([^}]+)\}/.exec(
    read('packages/check/src/check/finding.ts'),
  ) ?? [undefined, '']
  const rules = [...body.matchAll(/^ {2}'?([\w-]+)'?: /gm)].map(([, rule]) => `Rule ${rule}`)
  expect(rules.length).toBeGreaterThan(10)
  expect(headings.filter((text) => text.startsWith('Rule '))).toEqual(rules)
})

it('finds no code in the sources that belongs to no union', () => {
  const files = execFileSync('git', ['ls-files', 'packages/*/src/**/*.ts', 'packages/*/src/*.ts'], {
    cwd: root,
  })
  const sources = files
    .toString()
    .split('\n')
    .filter((path) => /^packages\/(catalog|check|cli|client|codegen|unplugin)\//.test(path))
    // The gateway in memory responds with the codes of the service.
    .filter((path) => !path.includes('.test') && !path.includes('/memory/'))
  const used = sources.flatMap((path) =>
    [...read(path).matchAll(/\bcode: '([A-Z][A-Z_]+)'/g)].map(([, code]) => code),
  )
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter((code) => !headings.includes(code ?? ''))).toEqual([])
})
