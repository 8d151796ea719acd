import { ConfigError } from '@servicekit/client'
import { escapeInvisible, formatCount, toSingleLine } from '@servicekit/core'
import type { ImportIssue, ImportPlan, NameMapping, ReadFile } from '@servicekit/formats'
import { exitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { accessPlatform, projectKeyOf } from '../platform-access.ts'
import { readProjectTexts } from './project-texts.ts'
import { readInputFiles } from './read-input-files.ts'
import { columnsOf, parseMapFlags, withMapFlags } from './text-mapping.ts'

/** Options of an import of translation files. */
export interface ImportTextsOptions {
  readonly paths: readonly string[]
  readonly map: readonly string[]
  readonly prefix: string
  readonly isReplacing: boolean
  readonly skipsProblems: boolean
  readonly acceptsProblems: boolean
  readonly skipsUnreviewed: boolean
  readonly defaultLanguage: string | undefined
  readonly isCheck: boolean
  readonly isJson: boolean
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
}

/**
 * Imports translation files as drafts: all or nothing. Prints what it changes, and what it leaves
 * out.
 */
export async function importTexts(options: ImportTextsOptions, io: Io): Promise<number> {
  const formats = await import('@servicekit/formats')
  const flags = parseMapFlags(options.map)
  const inputs = await readInputFiles(options.paths)
  const platform = accessPlatform(options.baseUrl, io.signal)
  const projectKey = await projectKeyOf(platform, options.projectKey)
  const project = await readProjectTexts(platform, projectKey)
  const reading = { languages: project.languages, columns: columnsOf(flags) }
  const read = await Promise.all(inputs.map((file) => formats.readTranslations(file, reading)))
  const files = read.flat()
  const suggested = formats.suggestMapping(files, project)
  const isUnnamed = formats.namesInFiles(files).languages.includes('')
  if (isUnnamed && (project.defaultLanguage ?? options.defaultLanguage) === undefined) {
    throw new ConfigError('Some files do not name their language', {
      details: { file: files.find(hasUnnamedLanguage)?.path },
      help: 'Use --default-language CODE, which is their language and the default of the project.',
    })
  }
  const first = formats.suggestDefaultLanguage(files, withMapFlags(suggested, flags, files))
  const defaultLanguage = project.defaultLanguage ?? options.defaultLanguage ?? first
  // Files without a language are of the default language, which may be a new one.
  const mapping = withMapFlags(
    formats.suggestMapping(files, { ...project, defaultLanguage }),
    flags,
    files,
  )
  const plan = formats.planImport(
    files,
    { ...project, defaultLanguage },
    {
      mapping,
      keyPrefix: options.prefix,
      isReplacing: options.isReplacing,
      acceptsProblems: options.acceptsProblems,
      skipsUnreviewed: options.skipsUnreviewed,
    },
  )
  const clash = formats.nameClashOf(plan, project)
  if (clash) throw new ConfigError(`Cannot import: ${clash}`, { help: 'Rename one with --map.' })
  const problems = plan.issues.filter(isProblem)
  const isRefused = problems.length > 0 && !options.skipsProblems
  const isSaved = !options.isCheck && !isRefused && plan.changes.length + plan.reviews.length > 0
  if (isSaved) {
    const request = formats.importRequest(
      plan,
      project.defaultLanguage === undefined ? defaultLanguage : undefined,
    )
    await platform.send('POST /projects/{project}/imports', {
      path: { project: projectKey },
      body: request,
    })
  }
  if (options.isJson) {
    io.stdout(`${JSON.stringify({ projectKey, saved: isSaved, ...jsonOf(plan, mapping) })}\n`)
  } else {
    printPlan(plan, { files, mapping, projectKey, isSaved, isCheck: options.isCheck }, io)
    if (isRefused && !options.isCheck) {
      io.stderr(
        'Nothing was imported. Correct the files, or add --skip-problems to import the rest.\n',
      )
    }
  }
  return isRefused ? exitCode.findings : exitCode.ok
}

const hasUnnamedLanguage = ({ entries }: ReadFile): boolean =>
  entries.some(({ language, isSource }) => language === undefined && !isSource)

/** Returns whether someone must decide about a translation that is left out. */
const isProblem = ({ kind, isLeftOut }: ImportIssue): boolean =>
  isLeftOut && (kind === 'duplicate' || kind === 'invalid' || kind === 'placeholder')

function jsonOf(plan: ImportPlan, { languages, modules }: NameMapping): object {
  const { changes, reviews, ...rest } = plan
  return {
    languages: Object.fromEntries(languages),
    modules: Object.fromEntries(modules),
    translations: changes.length,
    changes,
    reviewed: reviews.length,
    ...rest,
  }
}

function printPlan(
  plan: ImportPlan,
  {
    files,
    mapping,
    projectKey,
    isSaved,
    isCheck,
  }: {
    readonly files: readonly ReadFile[]
    readonly mapping: NameMapping
    readonly projectKey: string
    readonly isSaved: boolean
    readonly isCheck: boolean
  },
  io: Io,
): void {
  const print = (line: string): void => io.stdout(`${escapeInvisible(toSingleLine(line))}\n`)
  for (const { path, encoding } of files) {
    if (encoding !== undefined && encoding !== 'utf-8') {
      print(`${path}: not UTF-8; read as ${encoding}, check the accents`)
    }
  }
  for (const [kind, names] of [
    ['language', mapping.languages],
    ['module', mapping.modules],
  ] as const) {
    for (const [name, target] of names) {
      if (name !== target) print(`${kind} ${name || '(not named)'} -> ${target ?? '(left out)'}`)
    }
  }
  for (const { kind, file, line, module, key, language, message, isLeftOut } of plan.issues) {
    const place = line === undefined ? file : `${file}:${line}`
    const name = [module, key, language && `(${language})`].filter(Boolean).join(' ')
    print(`${place}: ${kind}: ${name} ${message}${isLeftOut ? '; left out' : ''}`)
  }
  const { changes, reviews, newKeys, newModules, newLanguages } = plan
  const { unchanged, untranslated, unreviewed } = plan
  const parts = [
    formatCount(changes.length, 'translation'),
    formatCount(newKeys, 'new key'),
    ...(newModules.length > 0 ? [`new modules: ${newModules.join(', ')}`] : []),
    ...(newLanguages.length > 0 ? [`new languages: ${newLanguages.join(', ')}`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(untranslated > 0 ? [`${untranslated} untranslated`] : []),
    ...(reviews.length > 0 ? [`${reviews.length} reviewed`] : []),
    ...(unreviewed > 0 ? [`${unreviewed} not reviewed`] : []),
  ]
  const what = isSaved ? 'saved as drafts' : isCheck ? 'would be saved as drafts' : 'not saved'
  print(`${projectKey}: ${parts.join(', ')}; ${what}`)
}
