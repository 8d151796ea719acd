import { join, resolve } from 'node:path'
import {
  type BuildManifest,
  openProject,
  parseManifest,
  pointerName,
  printPointer,
  type Project,
  type ReadCatalog,
  readText,
  repack as compilePacks,
  writeFiles,
  writeIfChanged,
  rejectLinkedFolders,
} from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { formatCount, withoutUndefined } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags, projectOptions } from '../flags.ts'
import { bytes, duration } from '../format.ts'
import type { Io } from '../io.ts'
import { problemLines } from '../problems.ts'
import { startProgress } from '../progress.ts'
import { readConfig } from '../read-config.ts'
import { passSignals } from '../stopping.ts'

/** `servicekit repack`: compiles packs for an existing build from newer translations. */
export const repack = defineCommand({
  description: 'Compile newer translations for an existing build, without a bundler',
  flags: {
    ...projectFlags,
    manifest: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Manifest of the build, e.g. dist/uilm-manifest.json',
    },
    out: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Output folder: packs, and uilm-current.json, which points at them',
    },
    languages: {
      type: 'list',
      valueHint: 'CODES',
      description: 'Languages to compile, e.g. en-US,de-DE (default: all of the project)',
    },
    from: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Read DIR/<language>/<module>.json instead of the service',
    },
    frozen: {
      type: 'boolean',
      description: 'Compile the committed translations, without network',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    const started = performance.now()
    const manifest = await readManifest(flags.manifest)
    if (!flags.out) throw new ConfigError('--out is required', { help: 'Use --out DIR.' })
    const other = flags.languages ? '--languages' : flags.from ? '--from' : undefined
    if (flags.frozen && other) throw new ConfigError(`Cannot use --frozen together with ${other}`)
    const outDir = resolve(flags.out)
    const config = await readConfig(flags.root)
    const { languages } = flags
    const project = openProject(
      {
        ...config.localization,
        ...projectOptions(flags),
        ...withoutUndefined({
          languages,
          from: flags.from === undefined ? undefined : resolve(flags.from),
        }),
        root: config.root,
      },
      { config },
    )
    const { catalog: translations, problems: fetchProblems } = flags.frozen
      ? { catalog: await project.load(), problems: [] }
      : await readWithProgress(project, manifest, io)
    const { packs, pointer, changedChunks, problems } = compilePacks(manifest, translations)
    rejectLinkedFolders(config.root, [outDir])
    await passSignals(io.signal)
    const report = await writeFiles(
      packs.map(({ name, source }) => ({ path: join(outDir, name), text: source })),
    )
    // Last, so that a page never sees a pointer at packs that do not exist yet.
    const moved = await writeIfChanged(join(outDir, pointerName), printPointer(pointer))

    const all = [...fetchProblems, ...problems]
    const codes = Object.keys(pointer.languages)
    const chunks = manifest.chunks.length
    const ms = Math.round(performance.now() - started)
    if (flags.json) {
      const totals = { languages: codes.length, chunks, changedChunks, ...report }
      io.stdout(`${JSON.stringify({ ...totals, pointer: moved, problems: all, ms })}\n`)
      return exitCode.ok
    }
    for (const line of problemLines(all)) io.stderr(`${line}\n`)
    io.stdout(
      `${formatCount(codes.length, 'language')}: packs of ${changedChunks} of ${formatCount(chunks, 'chunk')} differ from the build\n` +
        `${formatCount(report.files, 'file')}, ${bytes(report.bytes)}, ${report.written} written; ` +
        `${pointerName} ${moved ? 'written' : 'unchanged'}, ${duration(ms)}\n`,
    )
    return exitCode.ok
  },
})

/** @throws ConfigError if there is no manifest. */
async function readManifest(file: string | undefined): Promise<BuildManifest> {
  if (!file) {
    throw new ConfigError('--manifest is required', {
      help: 'Use --manifest FILE. The plugin option `manifest: true` writes it to the output folder of the build.',
    })
  }
  const text = await readText(resolve(file))
  if (text === undefined) {
    throw new ConfigError(`Cannot read ${file}`, {
      details: { file: resolve(file) },
      help: 'Build the application with the plugin option `manifest: true` or `live`.',
    })
  }
  return parseManifest(text, file)
}

async function readWithProgress(
  project: Project,
  { messages }: BuildManifest,
  io: Io,
): Promise<ReadCatalog> {
  const progress = await startProgress(io, 'Fetching translations')
  try {
    const reader = project.createReader({
      onProgress: ({ done, total, pauseMs }) =>
        pauseMs === undefined ? progress.report(done, total) : progress.pause(pauseMs),
    })
    return await reader.read({ modules: Object.keys(messages), signal: io.signal })
  } finally {
    progress.end()
  }
}
