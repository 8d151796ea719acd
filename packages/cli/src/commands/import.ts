import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { ConfigError } from '@servicekit/client'
import { formatCount, toSingleLine } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag } from '../flags.ts'
import { duration } from '../format.ts'
import { loadPlatform } from '../optional-packages.ts'
import { accessPlatform, platformFlags } from '../platform-access.ts'
import { startProgress } from '../progress.ts'

interface StoredFile {
  readonly item_id: string
  readonly system_name: string
}

/** `servicekit import`: loads translation files or a project folder into a running platform. */
export const importCommand = defineCommand({
  description: 'Load translation files as drafts, or a folder written by export, into the platform',
  flags: {
    'file...': {
      type: 'positional',
      description: 'Translation files, folders and ZIP archives of any format',
    },
    from: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Project folder written by export, instead of files',
    },
    map: {
      type: 'list',
      valueHint: 'NAME=VALUE',
      description:
        'Language, module or column of the files and its meaning: de=de-DE, module:app=shop, column:Notes=context; without a value it is left out; repeatable',
    },
    prefix: { type: 'string', valueHint: 'TEXT', description: 'Text before each imported key' },
    replace: {
      type: 'boolean',
      description: 'Replace translations that differ (default: keep those of the project)',
    },
    'skip-problems': {
      type: 'boolean',
      description: 'Import the rest if some translations cannot be imported',
    },
    'accept-placeholders': {
      type: 'boolean',
      description: 'Import translations whose placeholders differ from the source text',
    },
    'skip-unreviewed': {
      type: 'boolean',
      description: 'Leave out translations that the files mark as not reviewed',
    },
    'default-language': {
      type: 'string',
      valueHint: 'CODE',
      description: 'Default language of a project that has no language yet',
    },
    check: { type: 'boolean', description: 'Print what would be imported, and import nothing' },
    'project-key': {
      type: 'string',
      valueHint: 'KEY',
      description: 'Project key to use (default: the one in project.json)',
    },
    ...platformFlags,
    json: jsonFlag,
  },
  async run(flags, io) {
    const started = performance.now()
    const files = flags['file...']
    if (files.length > 0) {
      if (flags.from) throw new ConfigError('Cannot use --from together with files')
      const { importTexts } = await import('../texts/import-texts.ts')
      return importTexts(
        {
          paths: files,
          map: flags.map ?? [],
          prefix: flags.prefix ?? '',
          isReplacing: flags.replace === true,
          skipsProblems: flags['skip-problems'] === true,
          acceptsProblems: flags['accept-placeholders'] === true,
          skipsUnreviewed: flags['skip-unreviewed'] === true,
          defaultLanguage: flags['default-language'],
          isCheck: flags.check === true,
          isJson: flags.json === true,
          baseUrl: flags['base-url'],
          projectKey: flags['project-key'],
        },
        io,
      )
    }
    if (!flags.from) {
      throw new ConfigError('Files or --from are required', {
        help: 'Use servicekit import FILE... for translations, or --from DIR for a project.',
      })
    }
    const folder = resolve(flags.from)
    const { readProjectFolder, uploadPath } = await loadPlatform()
    const read = await readProjectFolder(folder)
    const projectKey = flags['project-key'] ?? String(read['projectKey'])
    const project = { ...read, projectKey }
    const { stored_files: stored = [] } = (read['rows'] ?? {}) as { stored_files?: StoredFile[] }
    const uploads = join(folder, 'files')
    const paths = await Promise.all(stored.map((file) => uploadPath(uploads, file.system_name)))
    const platform = accessPlatform(flags['base-url'], io.signal)
    await platform.send('POST /projects', { body: project })
    const progress = await startProgress(io, 'Sending files')
    try {
      for (const [index, { item_id }] of stored.entries()) {
        await platform.send('PUT /projects/{project}/files/{id}', {
          path: { project: projectKey, id: item_id },
          bytes: Readable.toWeb(createReadStream(paths[index]!)) as ReadableStream<Uint8Array>,
        })
        progress.report(index + 1, stored.length)
      }
    } finally {
      progress.end()
    }
    const ms = Math.round(performance.now() - started)
    if (flags.json) io.stdout(`${JSON.stringify({ projectKey, uploads: stored.length, ms })}\n`)
    else {
      io.stdout(
        `${toSingleLine(projectKey)}: loaded with ${formatCount(stored.length, 'upload')}, ${duration(ms)}\n`,
      )
    }
    return exitCode.ok
  },
})
