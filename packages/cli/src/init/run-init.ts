import { join, relative, resolve } from 'node:path'
import { openProject } from '@servicekit/catalog'
import { loadConfig, type LoadedConfig } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import { requireService } from '@servicekit/client/environment'
import { checkTypeScript } from '../doctor/check-types.ts'
import type { Io } from '../io.ts'
import { type FileEdit, formatEdit, formatManual, isManual, type ManualEdit } from './edits.ts'
import { selectContent } from './example.ts'
import { detectFramework, type Framework, plainProgram } from './frameworks.ts'
import { hasTranslations } from './has-translations.ts'
import { InitRun } from './init-run.ts'
import { installMissing } from './install-missing.ts'
import {
  compileArgs,
  gatewayDir,
  hasConfigFile,
  planScripts,
  planSetup,
  runScript,
} from './plan.ts'
import { hasExample, planExample } from './plan-example.ts'
import { findApps, namesIn, type ProjectFacts, readFacts } from './project-facts.ts'
import { detectOwnFolder, findOwnFolders, folderIn, formatDetected } from './own-folder.ts'
import { planServiceChange } from './plan-service.ts'
import { chooseSource, type Source } from './questions.ts'
import { findSamplePlatform, type SamplePlatform, withSamplePlatform } from './sample-platform.ts'
import { probeService, type Service, type ServiceFacts } from './service.ts'
import { runTypeCheck } from './type-check.ts'

/** Input of {@link runInit}. */
export interface InitInput {
  readonly root: string
  readonly url: string | undefined
  readonly projectKey: string | undefined
  /** `url` and `projectKey` as the flags give them; they change a configuration that exists. */
  readonly change: Partial<Service>
  /** Absolute path of a folder of translation files. */
  readonly from: string | undefined
  /** Codes of names in that folder that are no languages. */
  readonly languages: Readonly<Record<string, string | false>>
  readonly sample: boolean
  /** Undefined to prompt for it. */
  readonly example: boolean | undefined
  readonly io: Io
}

/**
 * Sets up an application. Resolves with `false` if something is left to do by hand, or if
 * the type check fails.
 */
export async function runInit(input: InitInput): Promise<boolean> {
  const { io } = input
  const facts = await chooseApp(await readFacts(input.root), io)
  const framework = detectFramework(facts) ?? plainProgram(facts)
  io.stdout(`${describe(facts, framework)}\n`)
  rejectOldTypeScript(facts)

  const isConfigured = hasConfigFile(facts)
  if (isConfigured && input.from !== undefined) throw alreadyConfigured(folderIn(facts, input.from))
  const change = isConfigured ? await planServiceChange(facts, { framework, ...input }) : undefined
  const source: Source = isConfigured
    ? { service: change?.service }
    : await chooseSource({
        ...input,
        folder: input.from === undefined ? undefined : folderIn(facts, input.from),
        folders: findOwnFolders(facts),
      })
  const folder =
    source.folder === undefined
      ? undefined
      : { path: source.folder, ...(await detectOwnFolder(source.folder, { ...input, facts })) }
  if (folder) io.stdout(`\n${formatDetected(folder.path, folder)}`)
  const isSampleUsed = !isConfigured && !source.service && !folder
  const sample = isSampleUsed ? await findSamplePlatform(io.signal) : undefined
  // Fails before anything is written.
  const known = change?.known ?? (source.service && (await probeService(source.service, io.signal)))
  const service = known?.service ?? sample

  const hasGateway = sample !== undefined || (known?.schemas.length ?? 0) > 0
  const isPulled = await hasTranslations(facts)
  const setup = await planSetup({
    facts,
    framework,
    service: isConfigured ? undefined : service,
    folder,
    hasGateway,
    isPulled,
  })
  const planned = [...(change?.edits ?? []), ...setup]
  const edits = planned.filter((edit): edit is FileEdit => !isManual(edit))
  const manual: ManualEdit[] = planned.filter(isManual)
  const wantsExample = await chooseExample(input, { isConfigured, framework, facts })
  const packages = missingPackages(facts, framework, sample)
  if (edits.length + manual.length + packages.length === 0 && isPulled && !wantsExample) {
    io.stdout('Servicekit is set up. Nothing to change.\n')
    return true
  }
  if (!(await announce(edits, packages, facts, io))) return false

  const run = new InitRun(facts, io)
  // Next.js loads its configuration, and with it the translations, to write its own types.
  const finish = async (): Promise<boolean> => {
    const input = { run, facts, framework, service, known, sample, wantsExample }
    manual.push(...(await fetchAndFinish(input)))
    for (const edit of manual) io.stdout(`\n${formatManual(edit)}`)
    return checkTypes(facts, framework, io)
  }
  let passed: boolean
  try {
    await installMissing(facts, packages, io)
    await run.write(edits)
    passed = sample ? await withSamplePlatform(sample, { facts, io }, finish) : await finish()
  } catch (error) {
    await run.undo()
    throw error
  }
  io.stdout(nextSteps(facts, framework, { sample, folder: folder?.path }))
  return passed && manual.length === 0
}

const alreadyConfigured = (folder: string): ConfigError =>
  new ConfigError('The application has a servicekit.config', {
    help: `Set its option localization: { from: '${folder}' } by hand, or delete the file and run the command again.`,
  })

/** @throws ConfigError for a TypeScript that does not compile the declarations. */
function rejectOldTypeScript(facts: ProjectFacts): void {
  const [finding] = checkTypeScript(facts)
  if (!finding) return
  throw new ConfigError(finding.problem, { details: { where: finding.where }, help: finding.fix })
}

/** Returns the facts of the application, which the user selects in the root of a monorepo. */
async function chooseApp(facts: ProjectFacts, io: Io): Promise<ProjectFacts> {
  if (detectFramework(facts)) return facts
  const apps = await findApps(facts, (one) => detectFramework(one) !== undefined)
  if (!apps || apps.length === 0) return facts
  const chosen = await io.prompts?.select(
    'Which application should be set up?',
    apps.map((app) => ({ value: app, label: app })),
  )
  if (chosen !== undefined) return readFacts(join(facts.root, chosen))
  throw new ConfigError('This is the root of a monorepo', {
    details: { root: facts.root, applications: apps.join(', ') },
    help: `Add --root DIR, for example --root ${apps[0]}.`,
  })
}

function describe(
  { agent, isTypeScript, gitRoot, root }: ProjectFacts,
  { name }: Framework,
): string {
  const git = gitRoot === undefined ? 'no Git' : 'Git'
  const ci = gitRoot !== undefined && namesIn(gitRoot).some((one) => ciFiles.has(one))
  const parts = [name, isTypeScript ? 'TypeScript' : 'JavaScript', agent.split('@')[0], git]
  return `${root}: ${[...parts, ...(ci ? ['CI'] : [])].join(', ')}`
}

const ciFiles = new Set([
  '.github',
  '.gitlab-ci.yml',
  '.circleci',
  'azure-pipelines.yml',
  'Jenkinsfile',
])

async function chooseExample(
  { example, io }: InitInput,
  {
    isConfigured,
    framework,
    facts,
  }: {
    readonly isConfigured: boolean
    readonly framework: Framework
    readonly facts: ProjectFacts
  },
): Promise<boolean> {
  if (await hasExample(facts, framework)) return false
  if (example !== undefined || isConfigured) return example ?? false
  const question =
    framework.page.kind === 'program'
      ? 'Add an example that prints a message and a list?'
      : 'Show a message and a list on the first page?'
  return (await io.prompts?.confirm(question)) ?? false
}

function missingPackages(
  { dependencies }: ProjectFacts,
  { isCompiled }: Framework,
  sample: SamplePlatform | undefined,
): readonly string[] {
  const wanted = [
    'servicekit',
    ...(isCompiled ? [] : ['@servicekit/unplugin']),
    ...(sample ? ['@servicekit/platform'] : []),
  ]
  return wanted.filter((name) => !Object.hasOwn(dependencies, name))
}

/** Shows what will change. Resolves with `false` if the user declines. */
async function announce(
  edits: readonly FileEdit[],
  packages: readonly string[],
  { agent }: ProjectFacts,
  io: Io,
): Promise<boolean> {
  for (const edit of edits) io.stdout(`\n${formatEdit(edit)}`)
  if (packages.length > 0)
    io.stdout(`\nPackages to install with ${agent}: ${packages.join(', ')}\n`)
  if (io.assumesYes) return true
  if (!io.prompts) {
    throw new ConfigError('Cannot ask before changing files: no terminal, or CI is set', {
      help: 'Add --yes to accept all changes, and --url and --key for a service of your own.',
    })
  }
  if (await io.prompts.confirm('Make these changes?')) return true
  io.stdout('Nothing was changed.\n')
  return false
}

interface FinishInput {
  readonly run: InitRun
  readonly facts: ProjectFacts
  readonly framework: Framework
  readonly service: Service | undefined
  readonly known: ServiceFacts | undefined
  readonly sample: SamplePlatform | undefined
  readonly wantsExample: boolean
}

/** Fetches the translations, generates data access and makes the edits that need both. */
async function fetchAndFinish(input: FinishInput): Promise<readonly ManualEdit[]> {
  const { run, facts, framework, sample, wantsExample } = input
  const { root } = facts
  await run.servicekit('pull')
  const config = await loadConfig(root, { upwards: true })
  const hasGateway = config.gateway.outDir !== undefined
  if (hasGateway) await run.servicekit('codegen')
  const folder = ownFolderOf(config, root)
  if (framework.isCompiled) await run.servicekit(...compileArgs(framework, folder))

  const scripts = await planScripts({ facts, framework, folder }, sample)
  const planned: (FileEdit | ManualEdit)[] = scripts ? [scripts] : []
  if (wantsExample) {
    // Without a service, the example shows a message only.
    const service =
      folder === undefined
        ? requireService({ ...config.service, ...input.service })
        : { baseUrl: '', projectKey: '' }
    const { schemas } =
      folder === undefined
        ? (input.known ?? (await probeService(service, run.io.signal)))
        : { schemas: [] }
    const model = await openProject({ ...config.localization, root: config.root }).load()
    const content = selectContent(model, hasGateway ? schemas : [])
    const outDir = relative(
      root,
      join(config.root, config.gateway.outDir ?? gatewayDir(framework)),
    ).replaceAll('\\', '/')
    if (content)
      planned.push(...(await planExample({ facts, framework, service, content, outDir, folder })))
  }
  const edits = planned.filter((edit): edit is FileEdit => !isManual(edit))
  for (const edit of edits) run.io.stdout(`\n${formatEdit(edit)}`)
  await run.write(edits)
  return planned.filter(isManual)
}

/** Returns the folder that is the source of truth, relative to the application. */
function ownFolderOf(
  { localization: { from }, root }: LoadedConfig,
  app: string,
): string | undefined {
  if (from === undefined) return undefined
  const folder = typeof from === 'string' ? from : from.folder
  return relative(app, resolve(root, folder)).replaceAll('\\', '/')
}

async function checkTypes(facts: ProjectFacts, framework: Framework, io: Io): Promise<boolean> {
  const check = await runTypeCheck(await readFacts(facts.root), framework, io)
  if (!check) return true
  if (check.passed) {
    io.stdout(`\nThe type check passed (${check.command}).\n`)
    return true
  }
  io.stderr(
    `${check.output}\nThe type check failed (${check.command}). Correct the errors above.\n`,
  )
  return false
}

function nextSteps(
  { agent, manifest: { scripts = {} } }: ProjectFacts,
  framework: Framework,
  {
    sample,
    folder,
  }: { readonly sample: SamplePlatform | undefined; readonly folder: string | undefined },
): string {
  const start = ['dev', 'start'].find((name) => scripts[name] !== undefined)
  const translations = folder === undefined ? 'uilm/, uilm.lock.json' : folder
  const commit = `Commit servicekit.config, ${translations}${framework.plugin || framework.wrap ? ' and the edited files' : ''}.`
  const next =
    start === undefined
      ? []
      : [
          sample
            ? `Start the sample platform and the application: ${runScript(agent, 'dev:sample')}`
            : `Start the application: ${runScript(agent, start)}`,
        ]
  return `\nDone. ${commit}\n${next.map((line) => `${line}\n`).join('')}`
}
