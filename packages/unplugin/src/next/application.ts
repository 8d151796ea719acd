import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folders and conventions of a Next.js application. */
export interface Application {
  /** Absolute path of the application. */
  readonly root: string
  /** Absolute path of the App Router; undefined if there is none. */
  readonly appDir: string | undefined
  /** Absolute path of the Pages Router; undefined if there is none. */
  readonly pagesDir: string | undefined
  /** Root parameter with the language: `lang` of `app/[lang]/layout.tsx`. */
  readonly rootParam: string | undefined
  readonly extensions: readonly string[]
}

/** Finds the folders of an application. */
export function findApplication(root: string, extensions: readonly string[]): Application {
  const find = (name: string): string | undefined =>
    [join(root, name), join(root, 'src', name)].find((folder) => existsSync(folder))
  const appDir = find('app')
  return {
    root,
    appDir,
    pagesDir: find('pages'),
    rootParam: appDir === undefined ? undefined : findRootParam(appDir, extensions),
    extensions,
  }
}

/** Names of parameters that hold a language, the most usual first. */
export const usualNames = ['lang', 'locale', 'language', 'lng', 'l']

/** Returns the parameter of the root layouts that holds the language. */
function findRootParam(appDir: string, extensions: readonly string[]): string | undefined {
  const names = [...rootParams(appDir, extensions)]
  return usualNames.find((name) => names.includes(name)) ?? names[0]
}

/** Finds the dynamic segments above the root layouts, like `next/root-params`. */
function* rootParams(folder: string, extensions: readonly string[]): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true })
  if (entries.some(({ name }) => isFileOf(name, ['layout'], extensions))) {
    yield* folder.split(/[\\/]/).flatMap((name) => /^\[(\w+)\]$/.exec(name)?.[1] ?? [])
    return
  }
  for (const entry of entries) {
    if (entry.isDirectory() && !/^[_@]/.test(entry.name)) {
      yield* rootParams(join(folder, entry.name), extensions)
    }
  }
}

/** Returns whether a file name is one of some names with an extension of pages. */
export const isFileOf = (
  file: string,
  names: readonly string[],
  extensions: readonly string[],
): boolean => names.some((name) => extensions.some((extension) => file === `${name}.${extension}`))
