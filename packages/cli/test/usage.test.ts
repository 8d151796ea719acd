import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { run } from './run.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('usage', () => {
  it('lists the commands', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of ['dev', 'pull', 'compile', 'check', 'migrate', 'codegen']) {
      expect(stdout).toContain(`\n  ${name} `)
    }
    expect(await run([])).toEqual({ code: 2, stdout: '', stderr: stdout })
    expect(await run(['help'])).toEqual({ code: 0, stdout, stderr: '' })
  })

  it('describes the flags of a command', async () => {
    const { code, stdout } = await run(['dev', '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: servicekit dev \[flags\]$/m)
    expect(stdout).toMatch(/--project DIR {2}[\s\S]*--port N {2}[\s\S]*--json {2}[\s\S]*-h, --help/)
    expect((await run(['help', 'dev'])).stdout).toBe(stdout)
  })

  it('prints help as plain text without trailing white space', async () => {
    for (const args of [['help'], ['help', 'pull'], ['check', '-h']]) {
      const { stdout } = await run(args)
      expect(stdout).not.toMatch(/\u001b|[ \t]$/m)
      expect(stdout).not.toMatch(/[^\n]{121}/)
    }
  })

  it('prints its version', async () => {
    for (const flag of ['--version', '-v']) {
      expect(await run([flag])).toMatchObject({ code: 0, stdout: '0.1.0\n' })
    }
  })

  it.each([
    [['pul'], 'Unknown command "pul". Did you mean "pull"?'],
    [['publish'], 'Unknown command "publish". Known commands: init, doctor, explain, dev, serve,'],
    [['pull', '--langauges', 'de-DE'], 'Did you mean "--languages"?'],
    [['pull', '--languages'], 'Use --languages CODES'],
    [['pull', '--languages', '--json'], '--languages requires a value'],
    [['pull', 'de-DE'], 'Unexpected argument "de-DE"'],
    [['dev', '--port', 'http'], '--port must be an integer between 0 and 65535 (received "http")'],
    [['dev', '--seed', 'x'], '--seed must be an integer of at least 0 (received "x")'],
    [['dev', '--rate-limit', '0'], '--rate-limit must be an integer of at least 1 (received "0")'],
    [['dev', '--seed', '1', '--data', 'x'], 'Cannot use --seed together with --data'],
    [
      ['check', '--format', 'xml'],
      '--format must be text, json, sarif, github, gitlab (received "xml")',
    ],
    [
      ['check', '--threshold', '200'],
      '--threshold must be a number from 0 to 100 (received "200")',
    ],
    [['check', '--update-baseline'], 'Add --baseline FILE'],
    [['codegen', '--check', '--watch'], 'Cannot use --check together with --watch'],
    [['codegen', '--frozen', '--watch'], 'Cannot use --frozen together with --watch'],
    [
      ['dev', '--memory', '--outgoing', 'lan'],
      'outgoing[0]: must be one of loopback, private (received "lan")',
    ],
    [['dev', '--memory', '--data', 'x'], 'Cannot use --memory together with --data'],
    [['help', 'pul'], 'Did you mean "pull"?'],
    [['dev', '--sample', '--project', 'x'], 'Cannot use --sample together with --project'],
    [['dev', '--memory', '--origin', '*'], 'origins[0]: * is not an origin'],
    [['dev', '--memory', '--allowed-host', 'a/b'], 'allowedHosts[0]: a/b is not a host name'],
    [['pull', '--project-key='], 'Use --project-key KEY'],
    [['pull', '--project-key', ''], 'Use --project-key KEY'],
    [['pull', '--root', 'nowhere'], 'Folder nowhere does not exist'],
    [['codegen', '--listing', 'nowhere.json'], 'Cannot read the saved schema listing'],
    [['export', '--out', 'x', '--base-url', 'localhost:4600'], 'such as http://127.0.0.1:4600'],
    [['constructor'], 'Unknown command "constructor"'],
  ])('%j: %s', async (args, help) => {
    const { code, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stderr).toContain(help)
  })

  it('explains how to configure the service, in every command that uses it', async () => {
    vi.stubEnv('SERVICEKIT_URL', '')
    vi.stubEnv('SERVICEKIT_PROJECT_KEY', '')
    vi.stubEnv('CI', '')
    for (const command of ['pull', 'codegen']) {
      const { code, stderr } = await run([command, '--root', tmpdir()])
      expect(code).toBe(2)
      expect(stderr).toMatch(/^baseUrl is required\n[^]*SERVICEKIT_URL/)
    }
    const named = ['--base-url', 'http://127.0.0.1:4600']
    const { stderr } = await run(['codegen', '--root', tmpdir(), ...named])
    expect(stderr).toMatch(/^projectKey is required\n[^]*SERVICEKIT_PROJECT_KEY/)
  })

  it('ends an error with the command that explains its code', async () => {
    const explain = 'npx servicekit explain CONFIG_INVALID'
    expect((await run(['pull', '--frozn'])).stderr).toMatch(new RegExp(`\\nRun ${explain}\\n$`))
    const { stderr } = await run(['pull', '--frozn', '--json'])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'CONFIG_INVALID', explain } })
  })

  it('has an exit code for a missing lockfile', async () => {
    const out = join(tmpdir(), 'nowhere')
    expect(await run(['codegen', '--frozen', '--out', out])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('There is no lockfile to generate from'),
    })
  })

  it('reports that it was stopped, with the exit code of shells', async () => {
    const signal = AbortSignal.abort()
    expect(await run(['migrate', '--root', tmpdir()], signal)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Stopped\n',
    })
    const { stderr } = await run(['check', '--root', tmpdir(), '--json'], signal)
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'STOPPED', message: 'Stopped' } })
  })
})
