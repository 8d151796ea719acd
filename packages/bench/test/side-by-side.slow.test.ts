import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countLines } from '../side-by-side/lib/count-lines.mjs'
import { printTables } from '../side-by-side/lib/print.mjs'
import { mistakes, tasks } from '../side-by-side/lib/tasks.mjs'
import { tools } from '../side-by-side/lib/tools.mjs'

const folder = join(import.meta.dirname, '../side-by-side')

describe.each(tools.map((tool) => [tool.title, tool] as const))('%s', (_, { name, versionOf }) => {
  test('has a file for each task', () => {
    const files = readdirSync(join(folder, name, 'tasks')).sort()
    expect(files).toEqual(
      Object.keys(tasks)
        .map((task) => `${task}.ts`)
        .sort(),
    )
    expect(existsSync(join(folder, name, 'package.json'))).toBe(versionOf !== undefined)
  })

  test('has an edit for each mistake, of a text that occurs once', () => {
    const edits = JSON.parse(readFileSync(join(folder, name, 'mistakes.json'), 'utf8')) as Record<
      string,
      { file: string; from: string; to: string }
    >
    expect(Object.keys(edits)).toEqual(Object.keys(mistakes))
    for (const { file, from, to } of Object.values(edits)) {
      const text = readFileSync(join(folder, name, 'tasks', file), 'utf8')
      expect(text.split(from), `${file}: ${from}`).toHaveLength(2)
      expect(to).not.toBe(from)
    }
  })
})

test('lines are counted without imports, comments and blank lines', () => {
  const text = `import { a } from 'a'
import type {
  B,
} from 'b'

// A comment.
export const one = () => {
  // Another.

  return \`
    text
  \`
}
`
  expect(countLines(text)).toBe(5)
})

test('the tables show who finds a mistake, and who is not for browsers', () => {
  const lines = { client: 2, ...Object.fromEntries(Object.keys(tasks).map((task) => [task, 3])) }
  const caught = { select: 'compiler', null: 'own checker', id: 'no' } as const
  const tables = printTables([
    {
      tool: tools[0]!,
      version: '',
      figures: { lines, caught, bytes: { one: 900, ten: 4000 } },
    },
    { tool: tools[1]!, version: '7.0.0', figures: { lines, caught, bytes: undefined } },
  ])
  expect(tables).toMatch(/^\| lines of code +\| Servicekit \| Prisma 7\.0\.0 \|$/m)
  expect(tables).toMatch(/^\| all ten +\| 30 +\| 30 +\|$/m)
  expect(tables).toMatch(/^\| misspelled field in a selection +\| ✓ +\| ✓ +\|$/m)
  expect(tables).toMatch(/^\| null not handled +\| \(✓\) +\| \(✓\) +\|$/m)
  expect(tables).toMatch(/^\| caught by the compiler +\| 1 +\| 1 +\|$/m)
  expect(tables).toMatch(/^\| all ten tasks +\| 4,000 +\| on servers only +\|$/m)
})
