import { expect, it } from 'vitest'
import { fix, lint, projectWith } from './linter.ts'

const project = () => projectWith({ common: { SAVE: 'Save', CLOSE: 'Close it' } })

const fixed = async (path: string, text: string, options: object = {}) =>
  fix(await project(), path, text, options)

it('replaces texts of JSX, imports the keys and keeps the texts in comments', async () => {
  const code = `'use client'
import { useState } from 'react'

export const Page = ({ user, count }) => (
  <main title="Your account">
    <h1>Welcome back, {user.name}!</h1>
    <p>{\`\${count} new messages\`}</p>
    <p>{count > 0 ? 'Some' : 'None'}</p>
    <img alt={'Portrait of ' + user.name} />
    <button>
      Don&apos;t ask again
    </button>
  </main>
)
`
  expect(await fixed('page.tsx', code)).toBe(`'use client'
import { useState } from 'react'
// uilm YOUR_ACCOUNT: Your account
// uilm WELCOME_BACK: Welcome back, {{name}}!
// uilm NEW_MESSAGES: {{count}} new messages
// uilm SOME: Some
// uilm NONE: None
// uilm PORTRAIT_OF: Portrait of {{name}}
// uilm DONT_ASK_AGAIN: Don't ask again
import { YOUR_ACCOUNT, WELCOME_BACK, NEW_MESSAGES, SOME, NONE, PORTRAIT_OF, DONT_ASK_AGAIN } from '~uilm/common'

export const Page = ({ user, count }) => (
  <main title={YOUR_ACCOUNT()}>
    <h1>{WELCOME_BACK({ name: user.name })}</h1>
    <p>{NEW_MESSAGES({ count })}</p>
    <p>{count > 0 ? SOME() : NONE()}</p>
    <img alt={PORTRAIT_OF({ name: user.name })} />
    <button>
      {DONT_ASK_AGAIN()}
    </button>
  </main>
)
`)
})

it('uses an existing key only for the same text', async () => {
  const code = 'export const a = <p>Save</p>, b = <p>Close</p>, c = <b>Close</b>\n'
  expect(await fixed('page.tsx', code)).toBe(`// uilm CLOSE_2: Close
import { SAVE, CLOSE_2 } from '~uilm/common'

export const a = <p>{SAVE()}</p>, b = <p>{CLOSE_2()}</p>, c = <b>{CLOSE_2()}</b>
`)
})

it('replaces texts of templates of Vue and Svelte', async () => {
  const vue = `<script setup>
const name = 'x'
</script>

<template>
  <p title="Your name">Hello {{ name }}</p>
</template>
`
  expect(await fixed('page.vue', vue, { module: 'account' })).toBe(`<script setup>
// uilm YOUR_NAME: Your name
// uilm HELLO: Hello {{name}}
import { YOUR_NAME, HELLO } from '~uilm/account'
const name = 'x'
</script>

<template>
  <p :title="YOUR_NAME()">{{ HELLO({ name }) }}</p>
</template>
`)
  const svelte = '<p title="Your name">Hello {name}</p>\n'
  expect(await fixed('page.svelte', svelte)).toBe(`<script>
  // uilm YOUR_NAME: Your name
  // uilm HELLO: Hello {{name}}
  import { YOUR_NAME, HELLO } from '~uilm/common'
</script>

<p title={YOUR_NAME()}>{HELLO({ name })}</p>
`)
})

it('leaves texts with elements, calls or without a script, and reports them', async () => {
  for (const [path, code] of [
    ['page.tsx', 'export const a = <p>Accept our <a href="/terms">terms</a></p>\n'],
    ['page.tsx', 'export const a = <p>Today is {format(date)}</p>\n'],
    ['page.tsx', 'export const a = <p>One */ two</p>\n'],
    ['page.vue', '<template><p>Hello</p></template>\n'],
  ] as const) {
    const root = await project()
    expect(lint(root, path, code)[0]?.ruleId).toBe('servicekit/no-hardcoded-text')
    const output = fix(root, path, code)
    expect(output).toBe(path === 'page.tsx' && code.includes('<a') ? output : code)
  }
})

it('fixes all texts of a file in one pass', async () => {
  const words = Array.from({ length: 40 }, (_, index) => `Section ${'abcdefgh'[index % 8]}`)
  const code = `export const a = <>${words.map((text) => `<p>${text}</p>`).join('')}</>\n`
  const messages = lint(await project(), 'page.tsx', code, { fix: true })
  expect(messages).toHaveLength(40)
  const fixes = messages.flatMap(({ fix }) => (fix ? [fix] : []))
  expect(fixes).toHaveLength(1)
  const [{ range, text }] = fixes as [NonNullable<(typeof fixes)[0]>]
  const output = code.slice(0, range[0]) + text + code.slice(range[1])
  const rest = lint(await project(), 'page.tsx', output).map(({ ruleId }) => ruleId)
  expect(rest).not.toContain('servicekit/no-hardcoded-text')
  expect(output.match(/\bSECTION_[A-H]\(\)/g)).toHaveLength(40)
  // Each text once above the import.
  expect(output.match(/^\/\/ uilm /gm)).toHaveLength(8)
})

it('gives different texts different keys, and leaves a text within another one for later', async () => {
  const code = `export const a = <p title="Close?">Close! {"It is late"}</p>\n`
  expect(await fixed('page.tsx', code)).toBe(`// uilm CLOSE_2: Close?
// uilm CLOSE_IT_IS_LATE: Close! It is late
import { CLOSE_2, CLOSE_IT_IS_LATE } from '~uilm/common'

export const a = <p title={CLOSE_2()}>{CLOSE_IT_IS_LATE()}</p>
`)
})

it('imports above the comments of the first statement, and below those of the file', async () => {
  const code = '/** Greets. */\nexport const Greeting = () => <p>Hello</p>\n'
  const imports = "// uilm HELLO: Hello\nimport { HELLO } from '~uilm/common'\n\n"
  const output = `/** Greets. */\nexport const Greeting = () => <p>{HELLO()}</p>\n`
  expect(await fixed('page.tsx', code)).toBe(imports + output)
  expect(await fixed('page.tsx', `// Licence\n\n${code}`)).toBe(`// Licence\n\n${imports}${output}`)
  for (const comment of ['/** @jsxImportSource preact */', '// @ts-check', '#!/usr/bin/env node']) {
    const lines = (await fixed('page.tsx', `${comment}\n${code.split('\n')[1]}\n`)).split('\n')
    expect(lines.slice(0, 3).join('\n')).toBe(`${comment}\n${imports.trimEnd()}`)
  }
})

it('leaves a text whose report is disabled', async () => {
  const code = `// eslint-disable-next-line servicekit/no-hardcoded-text
export const a = <p>First of all</p>
export const b = <p>Another text</p>
`
  const output = await fixed('page.tsx', code)
  expect(output).toContain('<p>First of all</p>')
  expect(output).toContain('<p>{ANOTHER_TEXT()}</p>')
  expect(output).not.toContain('FIRST_OF_ALL')
})

it('offers the fix as a suggestion unless the option fix is set', async () => {
  const [message] = lint(await project(), 'page.tsx', 'export const a = <p>Hello</p>\n')
  expect(message?.fix).toBeUndefined()
  expect(message?.suggestions?.map(({ desc }) => desc)).toEqual([
    'Replace the text by the message HELLO of the module common',
  ])
})
