import { basename, resolve } from 'node:path'
import { openProject } from '@servicekit/catalog'
import { formatCount, withoutUndefined } from '@servicekit/core'
import type { StoredLanguage } from '@servicekit/check'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { hookFlag, jsonFlag, projectFlags } from '../flags.ts'
import { setStorageKey } from '../init/edit-config.ts'
import {
  formatEdit,
  formatManual,
  isManual,
  type Planned,
  readIn,
  writeEdits,
} from '../init/edits.ts'
import { loadCheck } from '../optional-packages.ts'
import { readConfig } from '../read-config.ts'
import { untilStopped } from '../stopping.ts'

/** `servicekit migrate`: rewrites calls of i18next, next-intl and vue-i18n to typed imports. */
export const migrate = defineCommand({
  description: "Rewrite calls t('KEY') of i18next, next-intl and vue-i18n to typed imports",
  flags: {
    root: projectFlags.root,
    sources: {
      type: 'list',
      valueHint: 'DIRS',
      description: 'Source folders, e.g. src,lib (default: the whole root)',
    },
    hook: hookFlag,
    write: { type: 'boolean', description: 'Write the files (default: only print the changes)' },
    json: jsonFlag,
  },
  async run(flags, io) {
    const { localization, check, root, file } = await readConfig(flags.root)
    const sources = flags.sources?.map((one) => resolve(flags.root ?? '.', one)) ?? check.sources
    const hooks = flags.hook ?? check.hooks
    const { migrate: runMigrate } = await loadCheck()
    const steps = runMigrate({
      project: openProject({ ...localization, root }),
      ...withoutUndefined({ sources, aliases: check.aliases, hooks }),
      ...(flags.write ? { write: true } : {}),
    })
    const run = untilStopped(steps, io.signal)
    let step = await run.next()
    for (; !step.done; step = await run.next()) if (!flags.json) io.stdout(step.value.diff)
    const { files, skipped, calls, written, storedLanguage } = step.value
    const edit =
      storedLanguage === undefined || localization.storageKey !== undefined
        ? undefined
        : await planStorageKey(root, file, storedLanguage)
    if (flags.write && edit && !isManual(edit)) await writeEdits(root, [edit])
    if (flags.json) {
      const rewritten = files.map(({ file, calls }) => ({ file, calls }))
      const report = { files: rewritten, skipped, calls, written, storedLanguage }
      io.stdout(`${JSON.stringify(report)}\n`)
      return exitCode.ok
    }
    if (edit && storedLanguage) {
      io.stdout(isManual(edit) ? formatManual(edit) : formatEdit(edit))
      io.stdout(`${storedLanguage.file} stores the language as ${storedLanguage.key}.\n`)
    }
    for (const { file, line, column, code, reason } of skipped) {
      io.stdout(`not rewritten: ${file}:${line}:${column}  ${code}\n  ${reason}\n`)
    }
    io.stdout(
      `${formatCount(calls, 'call')} in ${formatCount(files.length, 'file')} ` +
        `${flags.write ? 'rewritten' : 'can be rewritten'}, ${skipped.length} not rewritten\n`,
    )
    if (!flags.write && files.length > 0)
      io.stderr('No file was written. Add --write to apply the changes.\n')
    return exitCode.ok
  },
})

/** Plans the option with which both libraries store the language under one key. */
async function planStorageKey(
  root: string,
  file: string | undefined,
  { key }: StoredLanguage,
): Promise<Planned> {
  const path = basename(file ?? 'servicekit.config.ts')
  const text = await readIn(root, path)
  if (text !== undefined) return setStorageKey(path, text, key)
  const lines = [`localization: { storageKey: ${JSON.stringify(key)} },`]
  return { path, reason: 'it does not exist', lines }
}
