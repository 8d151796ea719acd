import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))

/**
 * Returns the packages that a file imports statically, directly or through other source
 * files. Types are stripped first.
 */
function packagesOf(entry: string, seen = new Set<string>()): ReadonlySet<string> {
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, clause = '', specifier = ''] of text.matchAll(
      /^(?:import|export) ([^'"]*?)from '([^']+)'/gm,
    )) {
      if (clause.startsWith('type ')) continue
      if (specifier.startsWith('.')) visit(resolve(dirname(file), specifier))
      else packages.add(specifier)
    }
  }
  visit(resolve(here, entry))
  return packages
}

it('loads neither a TypeScript parser nor a shared cache in a build', () => {
  const packages = [...packagesOf('index.ts')]
  expect(packages).toContain('@formatjs/icu-messageformat-parser')
  expect(packages.filter((name) => /ts-morph|typescript|unstorage/.test(name))).toEqual([])
  // Proves that the search finds a package that is imported.
  expect([...packagesOf('../../check/src/index.ts')]).toContain('ts-morph')
})
