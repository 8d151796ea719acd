import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isManual, type Planned, replaceText } from './edits.ts'
import type { Framework } from './frameworks.ts'
import type { ProjectFacts } from './project-facts.ts'

/**
 * Code that an application needs so that each page has the language of its visitor. `init` writes
 * it, and `doctor` looks for it.
 */
export interface LanguageSetup {
  /** Files that may contain it; the first one that exists is edited, or the first one is created. */
  readonly paths: readonly [string, ...string[]]
  /** Part that the file lacks, as a sentence after its name: `does not set the language of <html>`. */
  readonly problem: string
  /** Lines to add by hand. */
  readonly lines: readonly string[]
  /** Name that the code contains, wherever it is: `~uilm/sveltekit`. */
  readonly sign: string
  /** Content of the file if none exists; without it, a missing file needs nothing. */
  readonly newFile?: string
  /** Adds the code to a file; undefined if it has it. */
  readonly edit: (path: string, text: string) => Planned
}

/** Code that an application lacks. */
export interface MissingSetup {
  readonly setup: LanguageSetup
  readonly edit: NonNullable<Planned>
}

interface LookupInput {
  readonly facts: Pick<ProjectFacts, 'root'>
  readonly framework: Pick<Framework, 'sourceDir'>
  /** Reads a file of the application. */
  readonly read: (path: string) => Promise<string | undefined>
}

/** Plans one part of the setup; undefined if the application has it. */
export async function planLanguageSetup(
  setup: LanguageSetup,
  input: LookupInput,
): Promise<MissingSetup | undefined> {
  const edit = await planEdit(setup, input)
  if (!edit) return undefined
  // A file that cannot be edited may import the code from another one.
  if (isManual(edit) && (await isMentioned(setup.sign, input))) return undefined
  return { setup, edit }
}

async function planEdit(setup: LanguageSetup, { read }: LookupInput): Promise<Planned> {
  for (const path of setup.paths) {
    const text = await read(path)
    if (text !== undefined) return setup.edit(path, text)
  }
  if (setup.newFile === undefined) return undefined
  return replaceText(setup.paths[0], undefined, setup.newFile)
}

/** Returns true if a file of the application contains a text. */
async function isMentioned(
  sign: string,
  { facts, framework }: Pick<LookupInput, 'facts' | 'framework'>,
): Promise<boolean> {
  const own = await readdir(facts.root, { withFileTypes: true })
  const source =
    framework.sourceDir === '.'
      ? []
      : await readdir(join(facts.root, framework.sourceDir), {
          withFileTypes: true,
          recursive: true,
        }).catch(() => [])
  const files = [...own, ...source].filter(
    (entry) => entry.isFile() && /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(entry.name),
  )
  for (const { parentPath, name } of files) {
    if ((await readFile(join(parentPath, name), 'utf8')).includes(sign)) return true
  }
  return false
}
