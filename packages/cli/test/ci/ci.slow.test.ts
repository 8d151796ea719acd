import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAction } from '@actions/workflow-parser/actions/action-parser'
import { NoOperationTraceWriter } from '@actions/workflow-parser'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { buildCli } from '../build-cli.ts'
import { readAction, runAction } from './run-action.ts'
import { runScript, stopScripts } from './run-script.ts'
import { commitAll, createGh, createSampleProject, type SampleProject } from './sample-project.ts'

const folder = join(import.meta.dirname, '../../ci')
const storefront = join(import.meta.dirname, '../../../../fixtures/projects/storefront')
const actionFile = (name: string): string => join(folder, 'github', name, 'action.yml')
const actions = ['check', 'platform', 'pull']

/** Running the jobs takes minutes. */
// Each job starts several processes.
vi.setConfig({ testTimeout: 120_000 })

let temp: string
let built: string
let platform: StartedPlatform
let env: NodeJS.ProcessEnv

async function control(path: string, method: string, body: unknown): Promise<void> {
  const url = `${platform.baseUrl}/_platform/projects/${platform.projectKeys[0]}${path}`
  const response = await fetch(url, { method, body: JSON.stringify(body) })
  expect(response.ok).toBe(true)
}

const rename = (value: string): Promise<void> =>
  control('/texts', 'PUT', [{ language: 'de-DE', module: 'cart', key: 'CART_HEADING', value }])

/** Runs the built command in a project. The platform that it calls runs in this process. */
const servicekit = ({ workspace }: SampleProject, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(built, 'bin.js'), ...args], {
    cwd: workspace,
    env: { ...env, CI: '' },
  })

/** Project with committed translations and data access. */
async function createPulled(): Promise<SampleProject> {
  const project = await createSampleProject(temp, built)
  await servicekit(project, 'pull')
  await servicekit(project, 'codegen')
  commitAll(project, 'Add translations')
  return project
}

beforeAll(async () => {
  if (!isDeep) return
  temp = await mkdtemp(join(tmpdir(), 'servicekit-ci-'))
  ;[built, platform] = await Promise.all([
    buildCli(),
    startPlatform({ projectDir: storefront, port: 0 }),
  ])
  const { SERVICEKIT_CONTROL_TOKEN: _, ...rest } = process.env
  env = {
    ...rest,
    SERVICEKIT_URL: platform.baseUrl,
    SERVICEKIT_PROJECT_KEY: platform.projectKeys[0],
    npm_config_update_notifier: 'false',
  }
}, 180_000)
afterAll(async () => {
  stopScripts()
  await platform?.close()
  await Promise.all([temp, built].map((one) => one && rm(one, { recursive: true, force: true })))
})

describe('the actions for GitHub', () => {
  const problemsOf = (name: string, content: string): readonly string[] =>
    parseAction({ name, content }, new NoOperationTraceWriter())
      .context.errors.getErrors()
      .map(({ message }) => message)

  it.each(actions)('%s follows the schema of GitHub', async (name) => {
    const text = await readFile(actionFile(name), 'utf8')
    expect(problemsOf('action.yml', text)).toEqual([])
    // The parser does find problems.
    expect(
      problemsOf('action.yml', text.replace('using: composite', 'usng: composite')),
    ).not.toEqual([])
  })

  it.each(actions)(
    '%s passes inputs by variables, so that they cannot be commands',
    async (name) => {
      const { runs } = await readAction(actionFile(name))
      expect(runs.using).toBe('composite')
      for (const { run } of runs.steps) expect(run ?? '').not.toContain('${{')
    },
  )

  it.skipIf(!isDeep)('starts a platform for the tests of a job', async () => {
    const { workspace } = await createSampleProject(temp, built)
    const inputs = { project: storefront }
    const { failed, output, outputs, variables } = await runAction(actionFile('platform'), {
      inputs,
      workspace,
      temp,
      env,
    })
    expect(failed, output).toBe(false)
    expect(variables).toEqual({
      SERVICEKIT_URL: outputs['url'],
      SERVICEKIT_PROJECT_KEY: platform.projectKeys[0],
    })
    expect((await fetch(`${outputs['url']}/_platform/ready`)).status).toBe(200)
    stopScripts()
  })

  it.skipIf(!isDeep)('shows why a platform does not start', async () => {
    const { workspace } = await createSampleProject(temp, built)
    const inputs = { project: 'absent' }
    const result = await runAction(actionFile('platform'), { inputs, workspace, temp, env })
    expect(result.failed).toBe(true)
    expect(result.output).toMatch(/::error title=servicekit dev::[^]*absent/)
  })

  it.skipIf(!isDeep)(
    'opens a pull request with a summary, updates it, and does nothing without changes',
    async () => {
      const project = await createPulled()
      const gh = await createGh(temp)
      const pullEnv = { ...env, PATH: `${gh.path}:${env['PATH']}`, GITHUB_REF_NAME: 'main' }
      const pull = () =>
        runAction(actionFile('pull'), { workspace: project.workspace, temp, env: pullEnv })

      const same = await pull()
      expect(same.failed, same.output).toBe(false)
      expect(same.outputs['changed']).toBe('false')
      expect(same.ran).toEqual(['Pull the translations'])
      expect(same.summary).toContain('No translation changed.')

      await rename('Mein Warenkorb')
      const first = await pull()
      expect(first.failed, first.output).toBe(false)
      expect(first.outputs['changed']).toBe('true')
      expect(first.summary).toMatch(/\| de-DE \| 0 \| 1 \| 0 \|/)
      expect(first.summary).toContain('`Mein Warenkorb`')
      expect(await readFile(first.outputs['summary']!, 'utf8')).toBe(first.summary)
      expect(project.git('branch', '--show-current')).toBe('main')
      const branch = ['--git-dir', project.remote, 'show', 'servicekit/translations']
      expect(project.git(...branch)).toContain('+  "CART_HEADING": "Mein Warenkorb"')

      await rename('Unser Warenkorb')
      const second = await pull()
      expect(second.failed, second.output).toBe(false)
      expect(project.git(...branch)).toContain('+  "CART_HEADING": "Unser Warenkorb"')
      const calls = (await readFile(gh.log, 'utf8'))
        .split('\n')
        .map((line) => line.slice(0, 10).trim())
      expect(calls).toEqual(['pr list --', 'pr create', 'pr list --', 'pr edit se', ''])
    },
  )

  it.skipIf(!isDeep)('uploads findings, and fails only for errors', async () => {
    const project = await createPulled()
    const { workspace } = project
    const check = (inputs: Record<string, string>) =>
      runAction(actionFile('check'), { inputs, workspace, temp, env })

    const build = "test \"$CI\" = true && node -e \"require('fs').writeFileSync('built', '')\""
    const good = await check({ sources: 'src', build })
    expect(good.failed, good.output).toBe(false)
    expect(good.ran.at(-1)).toBe('Build from the committed translations')
    expect(await readFile(join(workspace, 'built'), 'utf8')).toBe('')

    await writeFile(join(workspace, 'src/bad.ts'), "import { NOPE } from '~uilm/cart'\nNOPE()\n")
    const bad = await check({ sources: 'src' })
    expect(bad.failed).toBe(true)
    expect(bad.ran.at(-1)).toBe('Fail if there are errors')
    const [[name, inputs]] = bad.used as [[string, Record<string, string>]]
    expect(name).toMatch(/^github\/codeql-action\/upload-sarif@[0-9a-f]{40}$/)
    const sarif = JSON.parse(await readFile(inputs['sarif_file']!, 'utf8'))
    expect(sarif.runs[0].results.map((one: { ruleId: string }) => one.ruleId)).toContain('unknown')
    expect(bad.outputs['sarif']).toBe(inputs['sarif_file'])

    const plain = await check({ sources: 'src', 'upload-sarif': 'false' })
    expect(plain.failed).toBe(true)
    expect(plain.used).toEqual([])
    expect(plain.output).toMatch(/^::error file=src\/bad\.ts,line=1/m)

    // A wrong flag is no report.
    const wrong = await check({ sources: 'absent' })
    expect(wrong.failed).toBe(true)
    expect(wrong.ran.at(-1)).toBe('Check messages and code')
  })
})

describe('the template for GitLab', () => {
  interface Job {
    readonly extends?: string
    readonly variables?: Readonly<Record<string, string>>
    readonly before_script?: readonly string[]
    readonly script?: readonly string[]
    readonly rules?: readonly object[]
    readonly artifacts?: Readonly<Record<string, unknown>>
    readonly image?: string
  }
  let template: Readonly<Record<string, Job>>

  beforeAll(async () => {
    template = parse(await readFile(join(folder, 'gitlab/servicekit.yml'), 'utf8'))
  })

  /** Runs a job of the template with the values of predefined variables. */
  async function runJob(name: string, { workspace, remote }: SampleProject, more = {}) {
    const job = template[name]!
    const base = template[job.extends!]!
    const variables = { ...base.variables, SERVICEKIT_INSTALL: 'true', ...job.variables, ...more }
    return runScript([...base.before_script!, ...job.script!].join('\n'), {
      cwd: workspace,
      temp,
      env: {
        ...env,
        ...variables,
        CI: 'true',
        CI_PROJECT_DIR: workspace,
        CI_DEFAULT_BRANCH: 'main',
        CI_JOB_URL: 'https://gitlab.example/job/1',
        SERVICEKIT_REMOTE: remote,
      },
    })
  }

  it('contains only hidden jobs, with keywords of GitLab', () => {
    expect(Object.keys(template)).toEqual([
      '.servicekit',
      '.servicekit-check',
      '.servicekit-pull',
      '.servicekit-test',
    ])
    const known = ['extends', 'image', 'variables', 'before_script', 'script', 'rules', 'artifacts']
    for (const job of Object.values(template)) {
      expect(known).toEqual(expect.arrayContaining(Object.keys(job)))
      for (const line of [...(job.before_script ?? []), ...(job.script ?? [])]) {
        expect(typeof line).toBe('string')
      }
    }
  })

  it.skipIf(!isDeep)('reports findings for the merge request', async () => {
    const project = await createPulled()
    const good = await runJob('.servicekit-check', project, { SERVICEKIT_BUILD: 'touch built' })
    expect(good.code, good.output).toBe(0)
    await readFile(join(project.workspace, 'built'))
    await writeFile(
      join(project.workspace, 'src/bad.ts'),
      "import { NOPE } from '~uilm/cart'\nNOPE()\n",
    )
    const bad = await runJob('.servicekit-check', project)
    expect(bad.code).toBe(1)
    const issues = JSON.parse(
      await readFile(join(project.workspace, 'servicekit-quality.json'), 'utf8'),
    )
    expect(issues).toContainEqual(
      expect.objectContaining({
        check_name: 'unknown',
        severity: 'major',
        location: { path: 'src/bad.ts', lines: { begin: 1 } },
      }),
    )
  })

  it.skipIf(!isDeep)('opens a merge request with the changed translations', async () => {
    const project = await createPulled()
    const same = await runJob('.servicekit-pull', project)
    expect(same.code, same.output).toBe(0)
    expect(same.output).toContain('No translation changed.')
    await rename('Der Warenkorb')
    const { code, output } = await runJob('.servicekit-pull', project)
    expect(code, output).toBe(0)
    const show = project.git('--git-dir', project.remote, 'show', 'servicekit/translations')
    expect(show).toContain('Update translations')
    expect(show).toContain('+  "CART_HEADING": "Der Warenkorb"')
    expect(show).not.toContain('servicekit-pull.md')
    const summary = await readFile(join(project.workspace, 'servicekit-pull.md'), 'utf8')
    expect(summary).toContain('`Der Warenkorb`')
  })

  it.skipIf(!isDeep)('runs tests beside a platform', async () => {
    const project = await createSampleProject(temp, built)
    const test = `node -e "fetch(process.env.SERVICEKIT_URL + '/_platform/ready').then((r) => { if (r.status !== 200) process.exit(7) })"`
    const { code, output } = await runJob('.servicekit-test', project, {
      SERVICEKIT_PROJECT_DIR: storefront,
      SERVICEKIT_TEST: test,
    })
    expect(code, output).toBe(0)
  })
})
