import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { dialectMembers } from './dialect.ts'

it('is documented, member by member', async () => {
  const text = await readFile(
    new URL('../../../../docs/platform/projects.md', import.meta.url),
    'utf8',
  )
  const [, table] = text.replaceAll(/ +/g, ' ').split('| member | choices | description |\n')
  const rows = Object.entries(dialectMembers).map(([name, { options, description }]) => {
    const choices = options.map((choice) => `\`${choice}\``).join(', ')
    return `| \`${name}\` | ${choices} | ${description} |`
  })
  expect(table!.split('\n\n')[0]!.split('\n').slice(1)).toEqual(rows)
})
