import { resolve } from 'node:path'
import { emitProgram, inspect, openProject, sizeOf, writeFiles } from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { formatCount } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags } from '../flags.ts'
import { bytes, count, duration } from '../format.ts'
import { problemLines, problemsOf } from '../problems.ts'
import { readConfig } from '../read-config.ts'
import { passSignals } from '../stopping.ts'

/** `servicekit compile`: writes the committed translations as plain ESM files. */
export const compile = defineCommand({
  description: 'Write the committed translations as typed modules, for programs without a plugin',
  flags: {
    root: projectFlags.root,
    out: { type: 'string', valueHint: 'DIR', description: 'Output folder' },
    sync: {
      type: 'boolean',
      description: 'Import all languages statically, without await, and also write CommonJS',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    if (!flags.out) {
      throw new ConfigError('--out is required', { help: 'Use --out DIR.' })
    }
    const started = performance.now()
    const { localization, root } = await readConfig(flags.root)
    const project = openProject({ ...localization, root })
    const model = await project.load()
    const outDir = resolve(flags.root ?? '.', flags.out)
    await passSignals(io.signal)
    const written = await writeFiles(
      emitProgram(model, {
        outDir,
        storageKey: project.options.storageKey,
        sync: flags.sync === true,
      }),
    )
    const gaps = inspect(model).filter(({ code }) => code === 'MISSING_TRANSLATION').length
    const size = sizeOf(model.catalog)
    const ms = Math.round(performance.now() - started)
    const problems = problemsOf(model)
    if (flags.json) {
      io.stdout(`${JSON.stringify({ ...size, untranslated: gaps, ...written, problems, ms })}\n`)
      return exitCode.ok
    }
    for (const line of problemLines(problems)) io.stderr(`${line}\n`)
    io.stdout(
      `${formatCount(size.languages, 'language')}, ${formatCount(size.modules, 'module')}, ` +
        `${formatCount(size.keys, 'key')}; ${count(gaps)} translations missing\n` +
        `${formatCount(written.files, 'file')}, ${bytes(written.bytes)}, ${written.written} written, ${duration(ms)}\n`,
    )
    return exitCode.ok
  },
})
