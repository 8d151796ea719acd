import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocks } from '../../../docs/generate/code-blocks.mjs'
import { missingPackages } from '@servicekit/testing/debian-packages'
import { runCommand } from '@servicekit/testing/processes'
import { operationsFolder } from './team/operations-pages.ts'

const run = promisify(execFile)

let folder: string
let blocks: readonly { readonly language: string; readonly text: string }[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-debian-'))
  blocks = codeBlocks(await readFile(new URL('debian-server.md', operationsFolder), 'utf8'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the blocks of a language. */
const textsOf = (language: string): readonly string[] =>
  blocks.filter((block) => block.language === language).map(({ text }) => text)

/** Returns why a program of a package is not available. */
const fault = (name: string, program: string) => missingPackages([name], () => existsSync(program))

it('has units that systemd accepts', async ({ skip }) => {
  const missing = await fault('systemd', '/usr/bin/systemd-analyze')
  if (missing) skip(missing)
  const names = ['servicekit.service', 'servicekit-backup.service', 'servicekit-backup.timer']
  const units = textsOf('systemd')
  expect(units).toHaveLength(names.length)
  for (const [index, name] of names.entries()) {
    await writeFile(join(folder, name), units[index]!.replaceAll('/usr/bin/node', process.execPath))
  }
  const files = names.map((name) => join(folder, name))
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...files])
  // Units of the machine are verified, too.
  const own = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('servicekit'))
  expect(own).toEqual([])
  const { stdout: security } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    '--no-pager',
    files[0]!,
  ])
  expect(Number(/exposure level[^:]*: ([\d.]+)/.exec(security)![1])).toBeLessThan(4)
})

it('has settings that the server accepts', async () => {
  const assigned = (text: string, pattern: RegExp): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(pattern)].map(([, name, value]) => [name!, value!.replaceAll('"', '')]),
    )
  const settings = assigned(textsOf('ini')[0]!, /^(SERVICEKIT_\w+)=(.*)$/gm)
  const secrets = {
    'database-url': 'postgres://servicekit:password@127.0.0.1/servicekit',
    secret: 'a secret of 16 characters',
    'control-token': 'a token of 16 characters',
    'storage-key': 'key',
    'smtp-password': 'password',
  }
  for (const [name, text] of Object.entries(secrets)) await writeFile(join(folder, name), text)
  const [service, backup] = textsOf('systemd')
  for (const unit of [service!, backup!]) {
    const files = assigned(
      unit,
      /^Environment=(SERVICEKIT_\w+_FILE)=(?:%d|\/etc\/servicekit)(.*)$/gm,
    )
    expect(Object.keys(files)).toHaveLength(5)
    const variables = Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, `${folder}${file}`]),
    )
    const checked = ['serve', '--check-config']
    const { code, stderr } = await runCommand(checked, { ...settings, ...variables }, folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
})

it('has files that Caddy and nginx accept', async ({ skip }) => {
  const missing =
    (await fault('caddy', '/usr/bin/caddy')) ?? (await fault('nginx-light', '/usr/sbin/nginx'))
  if (missing) skip(missing)
  const caddyfile = join(folder, 'Caddyfile')
  await writeFile(caddyfile, textsOf('caddyfile')[0]!)
  const adapter = ['--config', caddyfile, '--adapter', 'caddyfile']
  const { stdout, stderr } = await run('caddy', ['validate', ...adapter])
  expect(`${stdout}${stderr}`).toContain('Valid configuration')

  await mkdir(join(folder, 'ssl'))
  const certificate = ['-keyout', 'ssl/privkey.pem', '-out', 'ssl/fullchain.pem', '-days', '1']
  const subject = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=a']
  await run('openssl', [...subject, ...certificate], { cwd: folder })
  const site = textsOf('nginx')[0]!.replaceAll('/etc/ssl/servicekit', join(folder, 'ssl'))
  const config = `pid ${join(folder, 'nginx.pid')};\nevents {}\nhttp {\n${site}}\n`
  await writeFile(join(folder, 'nginx.conf'), config)
  const tested = await run('nginx', ['-t', '-c', join(folder, 'nginx.conf')])
  expect(tested.stderr).toContain('test is successful')
})

it('has rules that Prometheus accepts, and a dashboard, about metrics that exist', async ({
  skip,
}) => {
  const missing = await fault('prometheus', '/usr/bin/promtool')
  if (missing) skip(missing)
  const rules = textsOf('yaml').find((text) => text.startsWith('groups:'))!
  await writeFile(join(folder, 'rules.yml'), rules)
  const { stdout } = await run('promtool', ['check', 'rules', join(folder, 'rules.yml')])
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/)

  const dashboard = await readFile(new URL('grafana-dashboard.json', operationsFolder), 'utf8')
  const { panels } = JSON.parse(dashboard) as {
    panels: readonly { targets: readonly { expr: string }[] }[]
  }
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  for (const expression of expressions) {
    await writeFile(
      join(folder, 'rules.yml'),
      JSON.stringify({ groups: [{ name: 'panel', rules: [{ record: 'a', expr: expression }] }] }),
    )
    await run('promtool', ['check', 'rules', join(folder, 'rules.yml')])
  }
  const documented = await readFile(new URL('observing.md', operationsFolder), 'utf8')
  const names = [rules, ...expressions]
    .flatMap((text) => text.match(/\b(?:servicekit|nodejs|process)_\w+/g) ?? [])
    .map((name) => name.replace(/_bucket$/, ''))
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !documented.includes(name))).toEqual([])
})
