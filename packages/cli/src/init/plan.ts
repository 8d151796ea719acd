import { join, relative } from 'node:path'
import type { DetectedFolder } from '@servicekit/catalog'
import { type Agent, resolveCommand } from 'package-manager-detector'
import { addPlugin, pluginLines, wrapConfig, wrapperLines } from './edit-config.ts'
import { Drafts } from './drafts.ts'
import { type FileEdit, type ManualEdit, type Planned, readIn, replaceText } from './edits.ts'
import type { Framework } from './frameworks.ts'
import { planLanguageSetup } from './language-setup.ts'
import { folderConfigLines } from './own-folder.ts'
import { namesIn, type ProjectFacts } from './project-facts.ts'
import type { Service } from './service.ts'

/** Edits of the first step, before anything is fetched. */
export interface SetupInput {
  readonly facts: ProjectFacts
  readonly framework: Framework
  /** Undefined if the application has a configuration that names it. */
  readonly service: Service | undefined
  /** Folder of translation files that is the source of truth, instead of a service. */
  readonly folder?: (DetectedFolder & { readonly path: string }) | undefined
  readonly hasGateway: boolean
  /** `true` if the translations can be read already. */
  readonly isPulled: boolean
}

/** Folder of generated modules of the data gateway. */
export const gatewayDir = ({ sourceDir }: Framework): string =>
  sourceDir === '.' ? 'gateway' : `${sourceDir}/gateway`

/** Folder of compiled messages. */
export function messagesDir({ sourceDir, messagesDir }: Framework, folder?: string): string {
  const usual = messagesDir ?? (sourceDir === '.' ? 'messages' : `${sourceDir}/messages`)
  // The files of the application stay apart from those that are compiled.
  return usual === folder ? `${usual}-compiled` : usual
}

/** Returns the arguments that compile the messages. */
export const compileArgs = (framework: Framework, folder?: string): readonly string[] => [
  'compile',
  '--out',
  messagesDir(framework, folder),
  ...(framework.isSync ? ['--sync'] : []),
]

/** Plans the configuration files of an application. */
export async function planSetup(input: SetupInput): Promise<readonly (FileEdit | ManualEdit)[]> {
  const drafts = new Drafts(input.facts.root)
  const read = (path: string): Promise<string | undefined> => drafts.read(path)
  drafts.add(await planConfigFile(input))
  drafts.add(await planBundler(input))
  drafts.add(await planTypes(input))
  for (const setup of input.framework.language ?? []) {
    drafts.add((await planLanguageSetup(setup, { ...input, read }))?.edit)
  }
  drafts.add(await planGatewayManifest(input))
  drafts.add(await planGitignore(input))
  return drafts.all()
}

const configName = /^servicekit\.config\.\w+$/

export const hasConfigFile = ({ configRoot }: ProjectFacts): boolean =>
  namesIn(configRoot).some((name) => configName.test(name))

async function planConfigFile(input: SetupInput): Promise<Planned> {
  const { facts, framework, service, folder, hasGateway } = input
  if (hasConfigFile(facts) || (!service && !folder)) return undefined
  const extension = facts.isTypeScript ? 'ts' : facts.manifest.type === 'module' ? 'js' : 'mjs'
  const output = framework.gatewayOutput === 'js' || !facts.isTypeScript ? ", output: 'js'" : ''
  const text = [
    "import { defineConfig } from 'servicekit'",
    '',
    'export default defineConfig({',
    ...(service
      ? [
          `  baseUrl: '${service.baseUrl}',`,
          `  projectKey: '${service.projectKey}',`,
          ...(service.preset === undefined ? [] : [`  preset: '${service.preset}',`]),
        ]
      : folderConfigLines(folder!.path, folder!)),
    ...(hasGateway ? [`  gateway: { outDir: '${gatewayDir(framework)}'${output} },`] : []),
    '})',
    '',
  ].join('\n')
  return replaceText(`servicekit.config.${extension}`, undefined, text)
}

/** Returns the lines that add the plugin to the configuration by hand. */
export const bundlerLines = ({ manual, plugin, wrap }: Framework): readonly string[] =>
  manual ?? (plugin ? pluginLines(plugin) : wrap ? wrapperLines(wrap) : [])

/** Plans the plugin in the configuration of the bundler or framework. */
export async function planBundler({
  facts,
  framework,
  isPulled,
}: Pick<SetupInput, 'facts' | 'framework' | 'isPulled'>): Promise<Planned> {
  const { configNames, newConfig, plugin, wrap, manual } = framework
  if (!plugin && !wrap) return undefined
  const path = facts.files.find((name) =>
    configNames.some((one) => name.startsWith(`${one}.`) && /\.[cm]?[jt]s$/.test(name)),
  )
  const text = path === undefined ? newConfig?.text : await readIn(facts.root, path)
  const target = path ?? newConfig?.path
  if (target === undefined || text === undefined) {
    // Nothing else shows whether the lines were added.
    if (manual && isPulled) return undefined
    return {
      path: `${configNames[0]}.js`,
      reason: 'it does not exist',
      lines: bundlerLines(framework),
    }
  }
  const edit = wrap ? wrapConfig(target, text, wrap) : addPlugin(target, text, plugin!)
  if (edit && 'reason' in edit) return manual ? { ...edit, lines: manual } : edit
  return edit && path === undefined ? { ...edit, before: undefined } : edit
}

/** Returns true if Node would read generated JavaScript of the data gateway as CommonJS. */
const isReadAsCommonJs = ({ facts, framework }: SetupInput): boolean =>
  framework.runsInNode === true && facts.manifest.type !== 'module' && !facts.isTypeScript

async function planGatewayManifest(input: SetupInput): Promise<Planned> {
  if (!input.service || !input.hasGateway || !isReadAsCommonJs(input)) return undefined
  const path = `${gatewayDir(input.framework)}/package.json`
  return replaceText(path, await readIn(input.facts.root, path), '{ "type": "module" }\n')
}

/** Path of the file that makes TypeScript read the declarations of `~uilm`. */
const typesFile = ({ sourceDir }: Framework): string =>
  sourceDir === '.' ? 'servicekit-env.d.ts' : `${sourceDir}/servicekit-env.d.ts`

async function planTypes({ facts, framework }: SetupInput): Promise<Planned> {
  if (!facts.isTypeScript || framework.isCompiled) return undefined
  const path = typesFile(framework)
  const target = join(facts.configRoot, '.servicekit/types/index.d.ts')
  const reference = relative(join(facts.root, framework.sourceDir), target).replaceAll('\\', '/')
  const text = [
    '// eslint-disable-next-line @typescript-eslint/triple-slash-reference',
    `/// <reference path="${reference.startsWith('.') ? reference : `./${reference}`}" />`,
    '',
  ].join('\n')
  const before = await readIn(facts.root, path)
  if (before?.includes('.servicekit/types/index.d.ts')) return undefined
  return replaceText(path, before, `${before ?? ''}${text}`)
}

async function planGitignore({ facts }: SetupInput): Promise<Planned> {
  // The generated folder is next to the configuration.
  if (facts.configRoot !== facts.root) return undefined
  const before = await readIn(facts.root, '.gitignore')
  const parent =
    facts.gitRoot && facts.gitRoot !== facts.root
      ? await readIn(join(facts.gitRoot), '.gitignore')
      : undefined
  const isIgnored = [before, parent].some((text) =>
    text?.split(/\r?\n/).some((line) => /^(?:\*\*\/|\/)?\.servicekit\/?$/.test(line.trim())),
  )
  if (isIgnored) return undefined
  const separator = before === undefined || before === '' || before.endsWith('\n') ? '' : '\n'
  return replaceText('.gitignore', before, `${before ?? ''}${separator}.servicekit\n`)
}

/** Returns the command line that runs a script of package.json. */
export function runScript(agent: Agent, name: string): string {
  const { command, args } = resolveCommand(agent, 'run', [name])!
  return [command, ...args].join(' ')
}

/**
 * Script that runs after each installation, so that a fresh clone has the declarations. An
 * installation succeeds without: in production the command is not installed, in a container the
 * translations may not be copied yet. A build reports what is wrong with them.
 */
const prepareCommand = (commands: readonly string[]): string => `${commands.join(' && ')} || exit 0`

/** Plans the scripts of package.json, which need a lock file that the first pull writes. */
export async function planScripts(
  {
    facts,
    framework,
    folder,
  }: Pick<SetupInput, 'facts' | 'framework'> & {
    /** Folder of translation files that is the source of truth. */
    readonly folder: string | undefined
  },
  sample: { readonly port: number } | undefined,
): Promise<FileEdit | undefined> {
  // Read again: the installation changed it.
  const before = await readIn(facts.root, 'package.json')
  if (before === undefined) return undefined
  const manifest = JSON.parse(before) as { scripts?: Record<string, string> }
  const scripts = { ...manifest.scripts }
  const compile = ['servicekit', ...compileArgs(framework, folder)].join(' ')
  const command = prepareCommand([
    'servicekit pull --frozen',
    ...(framework.isCompiled ? [compile] : []),
  ])
  // Yarn 2 and later do not run `prepare`.
  const name = facts.agent === 'yarn@berry' ? 'postinstall' : 'prepare'
  const script = scripts[name]
  if (script === undefined) scripts[name] = command
  else if (!script.includes('servicekit pull')) scripts[name] = `${script} && (${command})`
  const start = ['dev', 'start'].find((name) => scripts[name] !== undefined)
  if (sample && start !== undefined && scripts['dev:sample'] === undefined) {
    const port = sample.port === 4600 ? '' : ` --port ${sample.port}`
    scripts['dev:sample'] =
      `servicekit dev --sample${port} --run "${runScript(facts.agent, start)}"`
  }
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  '
  const after = `${JSON.stringify({ ...manifest, scripts }, undefined, indent)}\n`
  return JSON.stringify(scripts) === JSON.stringify(manifest.scripts ?? {})
    ? undefined
    : replaceText('package.json', before, after)
}
