import { execFile } from 'node:child_process'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as typescript from '@typescript-eslint/parser'
import { ESLint, Linter } from 'eslint'
import { ESLint as ESLint9, Linter as Linter9 } from 'eslint-9'
import type { OxlintConfig } from 'oxlint'
import { expect, it } from 'vitest'
import servicekit from '../../src/eslint.ts'
import { configFor, lint, projectWith } from './linter.ts'

const code = `import { WELCOME, NOPE } from '~uilm/auth'
export const Page = ({ name }) => (
  <main>
    <h1>Your account</h1>
    <p>{WELCOME()}</p>
    <p>{WELCOME({ name }) + ' ' + name}</p>
  </main>
)
`
const expected = [
  '1 servicekit/no-unknown-key Key NOPE does not exist in the module auth. Add it with "servicekit add" or "servicekit push".',
  '4 servicekit/no-hardcoded-text Text "Your account" cannot be translated. Use a message, or add it to the option "ignore".',
  '5 servicekit/no-missing-parameters Message WELCOME needs the parameter name. Pass { name }.',
  '6 servicekit/no-concatenated-messages Sentence composed of messages. Languages differ in word order and forms: use one message with parameters.',
]
const project = () => projectWith({ auth: { WELCOME: 'Hello {{name}}' } })

const languageOptions = {
  parser: typescript,
  parserOptions: { ecmaFeatures: { jsx: true } },
} as Linter.LanguageOptions

it('runs in ESLint with the recommended config', async () => {
  const cwd = await project()
  for (const [Class, major] of [
    [ESLint, '10'],
    [ESLint9 as unknown as typeof ESLint, '9'],
  ] as const) {
    expect(Class.version.split('.')[0]).toBe(major)
    const config = [{ files: ['**/*.tsx'], languageOptions }, servicekit.configs.recommended]
    const eslint = new Class({
      cwd,
      overrideConfigFile: true,
      overrideConfig: config as Linter.Config[],
    })
    const [result] = await eslint.lintText(code, { filePath: 'page.tsx' })
    expect(result!.messages.map((one) => `${one.line} ${one.ruleId} ${one.message}`)).toEqual(
      expected,
    )
    expect(result!.messages.map(({ severity }) => severity)).toEqual([2, 1, 2, 2])
  }
})

/** Runs oxlint in a project with the built plugin. */
async function oxlint(
  root: string,
  rules: OxlintConfig['rules'],
  args: readonly string[],
): Promise<string> {
  const dist = fileURLToPath(new URL('../../dist/eslint.js', import.meta.url))
  const config: OxlintConfig = {
    jsPlugins: [dist],
    categories: { correctness: 'off' },
    ...(rules && { rules }),
  }
  await writeFile(join(root, '.oxlintrc.json'), JSON.stringify(config))
  const folder = dirname(createRequire(import.meta.url).resolve('oxlint/package.json'))
  const command = [join(folder, 'bin/oxlint'), ...args]
  const run = promisify(execFile)(process.execPath, command, { cwd: root })
  return (await run.catch((error: { stdout: string }) => error)).stdout
}

it('runs in oxlint', async () => {
  const root = await project()
  const rules = Object.keys(servicekit.rules).map((rule) => [`servicekit/${rule}`, 'error'])
  await writeFile(join(root, 'page.tsx'), code)
  const stdout = await oxlint(root, Object.fromEntries(rules), ['--format', 'json', 'page.tsx'])
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; message: string; labels: { span: { line: number } }[] }[]
  }
  const lines = diagnostics.map(
    ({ code, message, labels }) =>
      `${labels[0]!.span.line} ${code.replace(/^(.+)\((.+)\)$/, '$1/$2')} ${message}`,
  )
  expect(lines.sort()).toEqual(expected)
})

it('fixes all texts of a file with one run of oxlint', async () => {
  const root = await project()
  const page = join(root, 'page.tsx')
  await writeFile(page, 'export const a = <p title="Your account">Sign out</p>\n')
  await oxlint(root, { 'servicekit/no-hardcoded-text': ['warn', { fix: true }] }, ['--fix'])
  expect(await readFile(page, 'utf8')).toBe(`// uilm YOUR_ACCOUNT: Your account
// uilm SIGN_OUT: Sign out
import { YOUR_ACCOUNT, SIGN_OUT } from '~uilm/common'

export const a = <p title={YOUR_ACCOUNT()}>{SIGN_OUT()}</p>
`)
})

it('reports once in a file that there are no translations', async () => {
  const root = await projectWith({})
  const text = `import { A } from '~uilm/a'\nimport { B } from '~uilm/b'\nexport const c = [A(), B()]\n`
  const inEmpty = lint(root, 'page.ts', text).map(({ messageId, line }) => `${line} ${messageId}`)
  expect(inEmpty).toEqual(['1 module', '2 module'])
  const elsewhere = dirname(root)
  expect(
    lint(elsewhere, 'page.ts', text).map(({ line, messageId }) => `${line} ${messageId}`),
  ).toEqual(['1 snapshot'])
})

it('reads translations again after they changed', async () => {
  const root = await projectWith({ auth: { A: 'a' } })
  const text = `import { B } from '~uilm/auth'\nexport const b = B()\n`
  expect(lint(root, 'page.ts', text).map(({ message }) => message)).toEqual([
    'Key B does not exist in the module auth. Did you mean A? Add it with "servicekit add" or "servicekit push".',
  ])
  await writeFile(join(root, 'uilm/en/auth.json'), JSON.stringify({ B: 'b' }))
  await utimes(join(root, 'uilm.lock.json'), new Date(), new Date(Date.now() + 5000))
  expect(lint(root, 'page.ts', text)).toEqual([])
})

it('rejects unknown options', async () => {
  const linter = new Linter({ cwd: await project() })
  const config = configFor({ ignored: ['x'] })
  expect(() => linter.verify('', config, { filename: 'page.ts' })).toThrow(/ignored/)
  expect(Linter9.version).toMatch(/^9\./)
})
