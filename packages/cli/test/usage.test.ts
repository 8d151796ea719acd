import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { run } from './run.ts'

describe('usage', () => {
  it('lists the commands', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of ['dev', 'pull', 'compile', 'check', 'migrate', 'codegen']) {
      expect(stdout).toContain(`servicekit ${name}`)
    }
    expect(await run([])).toMatchObject({ code: 2, stdout })
  })

  it('describes the flags of a command', async () => {
    const { code, stdout } = await run(['dev', '--help'])
    expect(code).toBe(0)
    expect(stripVTControlCharacters(stdout)).toMatch(
      /--project=<DIR>[\s\S]*--port=<N>[\s\S]*--json/,
    )
  })

  it('prints its version', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n' })
  })

  it.each([
    [['pul'], 'Did you mean pull?'],
    [['publish'], 'There are dev, pull,'],
    [['pull', '--langauges', 'de-DE'], 'Did you mean --languages?'],
    [['pull', '--languages'], 'Write --languages CODES'],
    [['pull', '--languages', '--json'], 'The flag --languages needs a value'],
    [['pull', 'de-DE'], 'The word "de-DE" belongs to no flag'],
    [['dev', '--port', 'http'], 'It is a number from 0 to 65535'],
    [['dev', '--seed', 'x'], '--seed x is no whole number'],
    [['dev', '--seed', '1', '--data', 'x'], '--seed and --data exclude each other'],
    [['check', '--format', 'xml'], 'There are text, json, sarif, github.'],
    [['check', '--threshold', '200'], 'no number from 0 to 100'],
    [['check', '--update-baseline'], 'Add --baseline FILE'],
    [['codegen', '--check', '--watch'], 'exclude each other'],
    [['dev', '--outgoing', 'lan'], 'It is loopback, private or both'],
    [['dev', '--memory', '--data', 'x'], 'exclude each other'],
    [['constructor'], 'There is no command constructor'],
  ])('%j: %s', async (args, help) => {
    const { code, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stderr).toContain(help)
  })
})
