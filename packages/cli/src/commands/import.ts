import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { ConfigError } from '@servicekit/client'
import { formatCount, toSingleLine } from '@servicekit/core'
import { printExactJson } from '@servicekit/core/exact-json'
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

/** `servicekit import`: loads a project folder into a running platform. */
export const importCommand = defineCommand({
  description: 'Load a folder written by export into the local platform',
  flags: {
    from: { type: 'string', valueHint: 'DIR', description: 'Project folder' },
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
    if (!flags.from) throw new ConfigError('--from is required', { help: 'Use --from DIR.' })
    const folder = resolve(flags.from)
    const { readProjectFolder, uploadPath } = await loadPlatform()
    const read = await readProjectFolder(folder)
    const projectKey = flags['project-key'] ?? String(read['projectKey'])
    const project = { ...read, projectKey }
    const { stored_files: stored = [] } = (read['rows'] ?? {}) as { stored_files?: StoredFile[] }
    const files = join(folder, 'files')
    const paths = await Promise.all(stored.map((file) => uploadPath(files, file.system_name)))
    const platform = accessPlatform(flags['base-url'], io.signal)
    await platform.send('/projects', { method: 'POST', body: printExactJson(project) })
    const progress = await startProgress(io, 'Sending files')
    try {
      const base = `/projects/${encodeURIComponent(projectKey)}/files`
      for (const [index, { item_id }] of stored.entries()) {
        await platform.send(`${base}/${encodeURIComponent(item_id)}`, {
          method: 'PUT',
          body: Readable.toWeb(createReadStream(paths[index]!)) as ReadableStream,
          duplex: 'half',
        } as RequestInit)
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
