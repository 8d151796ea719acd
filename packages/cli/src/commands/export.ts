import { createWriteStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { ConfigError } from '@servicekit/client'
import type { Control, ControlResult } from '@servicekit/client/control'
import { formatCount, toSingleLine } from '@servicekit/core'
import { parseExactJson } from '@servicekit/core/exact-json'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags } from '../flags.ts'
import { duration } from '../format.ts'
import type { Io } from '../io.ts'
import { loadPlatform } from '../optional-packages.ts'
import { accessPlatform, platformFlags, projectKeyOf } from '../platform-access.ts'
import { startProgress } from '../progress.ts'

type Exported = ControlResult<'GET /projects/{project}/export'>

interface StoredFile {
  readonly item_id: string
  readonly system_name: string
}

/**
 * `servicekit export`: writes a whole project of a running platform, or its translations in the
 * format of another tool, to a folder.
 */
export const exportCommand = defineCommand({
  description: 'Write a whole project of the platform, or its translations, to a folder',
  flags: {
    out: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Output folder; replaces an earlier export',
    },
    format: {
      type: 'string',
      valueHint: 'FORMAT',
      description:
        'Only translations, as json, json-nested, i18next, arb, xliff, xliff2, csv, xlsx, po, android, apple, xcstrings, properties, yaml, yaml-nested or rails',
    },
    languages: {
      type: 'list',
      valueHint: 'CODES',
      description: 'Languages for --format, separated by commas (default: all)',
    },
    modules: {
      type: 'list',
      valueHint: 'NAMES',
      description: 'Modules for --format, separated by commas (default: all)',
    },
    'project-key': projectFlags['project-key'],
    ...platformFlags,
    secrets: {
      type: 'boolean',
      description: 'Include password hashes and the secrets of clients, webhooks and tools',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    const started = performance.now()
    if (!flags.out) throw new ConfigError('--out is required', { help: 'Use --out DIR.' })
    if (flags.format !== undefined) {
      if (flags.secrets) throw new ConfigError('Cannot use --secrets together with --format')
      const { exportTexts } = await import('../texts/export-texts.ts')
      return exportTexts(
        {
          format: flags.format,
          out: flags.out,
          languages: flags.languages,
          modules: flags.modules,
          isJson: flags.json === true,
          baseUrl: flags['base-url'],
          projectKey: flags['project-key'],
        },
        io,
      )
    }
    if (flags.languages !== undefined || flags.modules !== undefined) {
      throw new ConfigError('--languages and --modules require --format')
    }
    const folder = resolve(flags.out)
    await checkFree(folder)
    const { projectFiles } = await loadPlatform()
    const platform = accessPlatform(flags['base-url'], io.signal)
    const project = await projectKeyOf(platform, flags['project-key'])
    const response = await platform.fetch('GET /projects/{project}/export', {
      path: { project },
      query: { secrets: `${flags.secrets === true}` },
    })
    const exported = parseExactJson(await response.text()) as Exported
    const files = projectFiles(exported)
    await mkdir(dirname(folder), { recursive: true })
    // Write to a temporary folder first: readers see the previous export or the new one,
    // never a mix.
    const unfinished = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
    try {
      for (const { path, text } of files) {
        await mkdir(dirname(join(unfinished, path)), { recursive: true })
        await writeFile(join(unfinished, path), text)
      }
      const stored = (exported.rows['stored_files'] ?? []) as unknown as readonly StoredFile[]
      await fetchBytes(platform, project, stored, join(unfinished, 'files'), io)
      await replace(folder, unfinished)
      const ms = Math.round(performance.now() - started)
      const totals = {
        projectKey: exported.projectKey,
        folder,
        files: files.length,
        uploads: stored.length,
      }
      if (flags.json) io.stdout(`${JSON.stringify({ ...totals, ms })}\n`)
      else {
        io.stdout(
          `${toSingleLine(exported.projectKey)}: ${formatCount(files.length, 'file')} and ${formatCount(stored.length, 'upload')} in ${flags.out}, ${duration(ms)}\n`,
        )
      }
      return exitCode.ok
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  },
})

/** Refuses to replace a folder that contains anything other than an export. */
async function checkFree(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[]
    throw new ConfigError(`${folder} is not a folder`, { cause: error })
  })
  const isExport = names.includes('project.json') && names.includes('rows')
  if (names.length === 0 || isExport) return
  throw new ConfigError(`${folder} contains files that are not an export`, {
    help: 'Choose an empty folder, or one that does not exist yet.',
  })
}

async function fetchBytes(
  platform: Control,
  project: string,
  stored: readonly StoredFile[],
  folder: string,
  io: Io,
): Promise<void> {
  if (stored.length === 0) return
  await mkdir(folder)
  const progress = await startProgress(io, 'Fetching files')
  try {
    for (const [index, { item_id, system_name }] of stored.entries()) {
      const path = { project, id: item_id }
      const { body } = await platform.fetch('GET /projects/{project}/files/{id}', { path })
      await pipeline(
        body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]),
        createWriteStream(join(folder, basename(system_name))),
      )
      progress.report(index + 1, stored.length)
    }
  } finally {
    progress.end()
  }
}

/** Replaces the old folder with the new one, and restores the old one if that fails. */
async function replace(folder: string, finished: string): Promise<void> {
  const old = `${finished}-old`
  const wasThere = await lstat(folder).then(
    () => true,
    () => false,
  )
  if (wasThere) await rename(folder, old)
  try {
    await rename(finished, folder)
  } catch (error) {
    if (wasThere) await rename(old, folder)
    throw error
  }
  await rm(old, { recursive: true, force: true })
}
