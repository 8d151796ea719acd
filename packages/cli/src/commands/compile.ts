import { join, resolve } from 'node:path'
import {
  type Catalog,
  emitProgram,
  supportsStringExports,
  inspect,
  openProject,
  sizeOf,
  typeScriptVersion,
  writeFiles,
  rejectLinkedFolders,
} from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { formatCount } from '@servicekit/core'
import { readTextIfExists } from '@servicekit/core/node'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags } from '../flags.ts'
import { bytes, count, duration } from '../format.ts'
import { dependenciesOf, parseManifest } from '../init/project-facts.ts'
import { problemLines, problemsOf } from '../problems.ts'
import { readConfig } from '../read-config.ts'
import { passSignals } from '../stopping.ts'

/** `servicekit compile`: writes the committed translations as plain ESM files. */
export const compile = defineCommand({
  description: 'Write the committed translations as typed modules, for programs without a plugin',
  flags: {
    root: projectFlags.root,
    out: { type: 'string', valueHint: 'DIR', description: 'Output folder' },
    languages: {
      type: 'list',
      valueHint: 'CODES',
      description: 'Languages to write, e.g. de-DE,fr-FR (default: all)',
    },
    i18next: {
      type: 'boolean',
      description: 'Also write the backend of i18next (default: if package.json has i18next)',
    },
    sync: {
      type: 'boolean',
      description: 'Import all languages statically, without await, and also write CommonJS',
    },
    'show-keys': {
      type: 'boolean',
      description: 'Write keys instead of translations, for tests that should not depend on them',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    if (!flags.out) {
      throw new ConfigError('--out is required', { help: 'Use --out DIR.' })
    }
    const started = performance.now()
    const { localization, root } = await readConfig(flags.root)
    const showKeys = flags['show-keys'] ? { showKeys: true } : {}
    const project = openProject({ ...localization, ...showKeys, root })
    const model = await project.load()
    const { languages } = flags
    const outDir = resolve(flags.root ?? '.', flags.out)
    rejectLinkedFolders(root, [outDir])
    await passSignals(io.signal)
    const written = await writeFiles(
      emitProgram(model, {
        outDir,
        storageKey: project.options.storageKey,
        sync: flags.sync === true,
        languages,
        stringExports: supportsStringExports(typeScriptVersion(root)),
        i18next: flags.i18next ?? (await dependsOn(root, 'i18next')),
      }),
    )
    const isWritten = (code: string | undefined): boolean =>
      code === undefined || languages === undefined || languages.includes(code)
    const gaps = inspect(model).filter(
      ({ code, language }) => code === 'MISSING_TRANSLATION' && isWritten(language),
    ).length
    const size = sizeOf(withLanguages(model.catalog, isWritten))
    const ms = Math.round(performance.now() - started)
    const problems = problemsOf(model).filter(({ language }) => isWritten(language))
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

/** Returns the part of a catalog that is in some of its languages. */
const withLanguages = (catalog: Catalog, isIncluded: (code: string) => boolean): Catalog => ({
  ...catalog,
  languages: catalog.languages.filter(({ code }) => isIncluded(code)),
  modules: catalog.modules.map((module) => ({
    ...module,
    translations: new Map([...module.translations].filter(([code]) => isIncluded(code))),
  })),
})

/** Returns whether the package.json of an application has a dependency. */
async function dependsOn(root: string, name: string): Promise<boolean> {
  const file = join(root, 'package.json')
  const text = await readTextIfExists(file)
  return text !== undefined && Object.hasOwn(dependenciesOf(parseManifest(text, file)), name)
}
