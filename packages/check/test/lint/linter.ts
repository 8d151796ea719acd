import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Linter } from 'eslint'
import * as typescript from '@typescript-eslint/parser'
import * as svelte from 'svelte-eslint-parser'
import * as vue from 'vue-eslint-parser'
import { temporaryFolder } from '@servicekit/testing/folder'
import servicekit, { type LintRule } from '../../src/eslint.ts'

const corpusFolder = new URL('../lint-corpus/', import.meta.url)

/** Options of the corpus, which its README names. */
export const corpusOptions = {
  ignore: ['Servicekit', 'GitHub'],
  functions: ['toast', 'toast.*', 'notify'],
}

export interface CorpusFile {
  readonly path: string
  readonly text: string
  /** Label of each labelled line, by one-based number. */
  readonly labels: ReadonlyMap<number, string>
}

/** Reads the labelled files of the corpus. */
export function readCorpus(): readonly CorpusFile[] {
  return readdirSync(corpusFolder)
    .filter((name) => name.endsWith('.txt'))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, corpusFolder), 'utf8')
      const [, ...sections] = text.split(/^--- (.+)\n/m)
      return Array.from({ length: sections.length / 2 }, (_, index) =>
        corpusFile(sections[2 * index]!, sections[2 * index + 1]!),
      )
    })
}

function corpusFile(path: string, section: string): CorpusFile {
  const labels = new Map<number, string>()
  const lines = section.split('\n').map((line, index) => {
    const match = /\s*(?:\/\/ )?⟵ (\S+)$/.exec(line)
    if (!match) return line
    labels.set(index + 1, match[1]!)
    return line.slice(0, match.index)
  })
  return { path, text: lines.join('\n'), labels }
}

/** Writes the translations of the corpus as a snapshot and returns the folder. */
export async function corpusProject(): Promise<string> {
  const text = readFileSync(new URL('messages.json', corpusFolder), 'utf8')
  return projectWith(JSON.parse(text) as Record<string, Record<string, string>>)
}

/** Writes a snapshot with one language and returns the folder. */
export async function projectWith(
  modules: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<string> {
  const root = await temporaryFolder()
  const names = Object.keys(modules)
  for (const name of names) {
    const file = join(root, 'uilm', 'en', `${name}.json`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify(modules[name]))
  }
  const lock = {
    version: 1,
    defaultLanguage: 'en',
    languages: { en: 'English' },
    modules: names,
    files: Object.fromEntries(names.map((name) => [`en/${name}.json`, '1 sha256-x'])),
  }
  await writeFile(join(root, 'uilm.lock.json'), JSON.stringify(lock))
  return root
}

/** Returns a flat config for every kind of file. */
export function configFor(
  options: object = {},
  rules: readonly LintRule[] = allRules,
  settings: object = {},
) {
  const tsOptions = { parser: typescript, ecmaFeatures: { jsx: true } }
  return [
    {
      files: ['**/*.{ts,tsx,js,jsx,cjs,vue,svelte}'],
      settings: { servicekit: settings },
      plugins: { servicekit },
      languageOptions: { parser: typescript, parserOptions: tsOptions },
      linterOptions: { reportUnusedDisableDirectives: 'off' },
      rules: Object.fromEntries(
        rules.map((rule) => [
          `servicekit/${rule}`,
          rule === 'no-hardcoded-text' ? ['error', options] : 'error',
        ]),
      ),
    },
    { files: ['**/*.vue'], languageOptions: { parser: vue, parserOptions: tsOptions } },
    { files: ['**/*.svelte'], languageOptions: { parser: svelte, parserOptions: tsOptions } },
  ] as unknown as Linter.Config[]
}

const allRules = Object.keys(servicekit.rules) as readonly LintRule[]

/** Lints a file. Throws if it cannot be parsed. */
export function lint(
  root: string,
  path: string,
  text: string,
  options: object = {},
  settings: object = {},
) {
  const linter = new Linter({ cwd: root })
  const messages = linter.verify(text, configFor(options, allRules, settings), {
    filename: join(root, path),
  })
  const fatal = messages.find((one) => one.fatal)
  if (fatal) throw new Error(`${path}:${fatal.line} ${fatal.message}`)
  return messages
}

/** Applies the fixes, or the first suggestion of each message, and returns the code. */
export function fix(
  root: string,
  path: string,
  text: string,
  options: object = {},
  settings: object = {},
): string {
  const linter = new Linter({ cwd: root })
  const config = configFor({ fix: true, ...options }, ['no-hardcoded-text'], settings)
  return linter.verifyAndFix(text, config, { filename: join(root, path) }).output
}
