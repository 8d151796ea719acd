import { rejectLinkedFolders } from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { formatCount, toSingleLine, unknownName } from '@servicekit/core'
import { isMissingMarker } from '@servicekit/contract/limits'
import type { FormatName, Message, OutputFile } from '@servicekit/formats'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { writeFileAtomic } from '@servicekit/core/node'
import { exitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { accessPlatform, projectKeyOf } from '../platform-access.ts'
import { readProjectTexts } from './project-texts.ts'

/** Options of an export of translation files. */
export interface ExportTextsOptions {
  readonly format: string
  readonly out: string
  readonly languages: readonly string[] | undefined
  readonly modules: readonly string[] | undefined
  readonly isJson: boolean
  readonly baseUrl: string | undefined
  readonly projectKey: string | undefined
}

/**
 * Writes the texts of a project, drafts included, as files of a format. Nothing is written if the
 * format cannot contain one of them.
 */
export async function exportTexts(options: ExportTextsOptions, io: Io): Promise<number> {
  const { formatNames, writeTranslations } = await import('@servicekit/formats')
  const format = formatNames.find((name) => name === options.format)
  if (format === undefined) {
    throw new ConfigError(unknownName('format', options.format, formatNames), {
      help: `Known formats: ${formatNames.join(', ')}.`,
    })
  }
  const platform = accessPlatform(options.baseUrl, io.signal)
  const projectKey = await projectKeyOf(platform, options.projectKey)
  const project = await readProjectTexts(platform, projectKey)
  const languages = chosen('language', options.languages, project.languages)
  const modules = chosen('module', options.modules, project.modules)
  const sourceLanguage = project.defaultLanguage
  if (sourceLanguage === undefined) {
    throw new ConfigError('The project has no language', { help: 'Add one in the console.' })
  }
  const messages = project.keys.flatMap((one): Message[] => {
    const { module, key, texts, context, maxLength } = one
    if (!modules.includes(module)) return []
    const written = Object.entries(texts).flatMap(([language, text]) =>
      text === null || text === '' || isMissingMarker(text) ? [] : [[language, text] as const],
    )
    const states = new Map(Object.entries(one.states))
    return [{ module, key, texts: new Map(written), states, context, maxLength }]
  })
  const files = await writeTranslations(format, { messages, languages, sourceLanguage })
  await writeFiles(resolve(options.out), files)
  report({ projectKey, format, files, messages: messages.length }, options, io)
  return exitCode.ok
}

/** @throws ConfigError for an unknown name. */
function chosen(
  kind: string,
  wanted: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] {
  for (const name of wanted ?? []) {
    if (!known.includes(name)) throw new ConfigError(unknownName(kind, name, known))
  }
  return wanted ?? known
}

async function writeFiles(folder: string, files: readonly OutputFile[]): Promise<void> {
  for (const { path, content } of files) {
    const target = join(folder, path)
    rejectLinkedFolders(folder, [dirname(target)])
    await mkdir(dirname(target), { recursive: true })
    await writeFileAtomic(target, content)
  }
}

function report(
  {
    projectKey,
    format,
    files,
    messages,
  }: {
    readonly projectKey: string
    readonly format: FormatName
    readonly files: readonly OutputFile[]
    readonly messages: number
  },
  { out, isJson }: ExportTextsOptions,
  io: Io,
): void {
  const paths = files.map(({ path }) => path)
  if (isJson) io.stdout(`${JSON.stringify({ projectKey, format, messages, files: paths })}\n`)
  else {
    const counts = `${formatCount(messages, 'key')} in ${formatCount(files.length, 'file')}`
    io.stdout(`${toSingleLine(projectKey)}: ${counts} of the format ${format} in ${out}\n`)
  }
}
