import { openProject } from '@servicekit/catalog'
import { migrate as runMigrate } from '@servicekit/check'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, jsonFlag, list, projectFlags, valuesOf } from '../flags.ts'
import { counted } from '../format.ts'
import { readConfig } from '../read-config.ts'
import { untilStopped } from '../stopping.ts'

/** `servicekit migrate`: rewrites i18next calls to typed imports. */
export const migrate = defineCommand({
  description: "Rewrite t('KEY') of i18next to typed imports; shows it first",
  flags: {
    root: projectFlags.root,
    sources: {
      type: 'string',
      valueHint: 'DIRS',
      description: "Folders of the application's code: src,lib (the whole root)",
    },
    hook: hookFlag,
    write: { type: 'boolean', description: 'Write the files; without it they are only shown' },
    json: jsonFlag,
  },
  async run(flags, io, rawArgs) {
    const root = flags.root ?? '.'
    const { localization, check } = await readConfig(root)
    const sources = list(flags.sources) ?? check.sources
    const hooks = valuesOf(rawArgs, 'hook') ?? check.hooks
    const steps = runMigrate({
      project: openProject({ ...localization, root }),
      ...(sources === undefined ? {} : { sources }),
      ...(check.aliases === undefined ? {} : { aliases: check.aliases }),
      ...(hooks === undefined ? {} : { hooks }),
      ...(flags.write ? { write: true } : {}),
    })
    const run = untilStopped(steps, io.signal)
    let step = await run.next()
    for (; !step.done; step = await run.next()) if (!flags.json) io.stdout(step.value.diff)
    const { files, left, calls, written } = step.value
    if (flags.json) {
      const rewritten = files.map(({ file, calls }) => ({ file, calls }))
      io.stdout(`${JSON.stringify({ files: rewritten, left, calls, written })}\n`)
      return exitCode.ok
    }
    for (const { file, line, column, code, reason } of left) {
      io.stdout(`left as it is: ${file}:${line}:${column}  ${code}\n  ${reason}\n`)
    }
    io.stdout(
      `${counted(calls, 'call')} in ${counted(files.length, 'file')} ` +
        `${flags.write ? 'rewritten' : 'can be rewritten'}, ${left.length} left\n`,
    )
    if (!flags.write && files.length > 0) io.stderr('Nothing is written yet: add --write.\n')
    return exitCode.ok
  },
})
