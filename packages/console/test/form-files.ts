import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../src/app', import.meta.url))

/** Returns the sources of the console's pages by path. */
export const pageSources = (): ReadonlyMap<string, string> =>
  new Map(
    globSync('**/*.{svelte,svelte.ts}', { cwd: folder })
      .toSorted()
      .map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]),
  )

const creates = (source: string): boolean => /\bcreateForm(?:<.*>)?\(\{/.test(source)

/** Returns the files that create a form. */
export const formFiles = (): readonly string[] =>
  [...pageSources()].filter(([, source]) => creates(source)).map(([file]) => file)
