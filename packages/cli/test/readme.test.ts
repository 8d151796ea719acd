import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { exitCodeMeanings } from '../src/exit-codes.ts'
import { commands } from '../src/main.ts'
import { run } from './run.ts'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

it('lists every command in the README, in the order of --help', async () => {
  const rows = (await read('../README.md')).matchAll(/^\| `servicekit ([\w-]+)` /gm)
  expect([...rows].map(([, name]) => name)).toEqual(Object.keys(commands))
})

it('lists every exit code in --help and in both READMEs', async () => {
  const text = exitCodeMeanings.map(([code, meaning]) => `${code} ${meaning}`).join(', ')
  const { stdout } = await run(['--help'])
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`Exit codes: ${text}.`)
  expect(await read('../../../README.md')).toContain(`Exit codes: ${text}.`)
  const [, section] = (await read('../README.md')).split('## Exit codes')
  const rows = section!.split('\n## ', 1)[0]!.matchAll(/^\| (\d+) /gm)
  expect([...rows].map(([, code]) => Number(code))).toEqual(exitCodeMeanings.map(([code]) => code))
})
