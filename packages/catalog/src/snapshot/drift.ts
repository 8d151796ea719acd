import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catalog } from '../model/catalog.ts'
import { keyFileOf } from './key-file.ts'
import { byCodePoint } from '@servicekit/core'
import type { LocalPaths } from './local-paths.ts'
import { readSnapshot } from './snapshot.ts'

/** Committed file whose translations differ from the source. */
export interface Drift {
  readonly language: string
  readonly module: string
  /** Changed, added or removed keys; empty if the whole file was added or removed. */
  readonly keys: readonly string[]
  readonly state: 'changed' | 'added' | 'removed'
}

/**
 * Compares the committed translations with the source. Pulls into a temporary copy, so
 * that unchanged files are not fetched and the project is not modified.
 */
export async function compareWithSource(
  committed: LocalPaths,
  pullInto: (paths: LocalPaths) => Promise<unknown>,
): Promise<readonly Drift[]> {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-compare-'))
  const copy = {
    snapshotDir: join(folder, 'uilm'),
    lockFile: join(folder, 'uilm.lock.json'),
    cacheDir: join(folder, 'cache'),
  }
  try {
    const before = await readSnapshot(committed, () => undefined)
    for (const name of ['snapshotDir', 'lockFile', 'cacheDir'] as const) {
      // Without the cached ETags, every file is fetched.
      await cp(committed[name], copy[name], { recursive: true }).catch(() => undefined)
    }
    await cp(keyFileOf(committed.lockFile), keyFileOf(copy.lockFile)).catch(() => undefined)
    await pullInto(copy)
    return driftBetween(before, await readSnapshot(copy))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the files in which two catalogs differ. Pure. */
function driftBetween(committed: Catalog, served: Catalog): readonly Drift[] {
  const [before, after] = [translationsByFile(committed), translationsByFile(served)]
  const files = [...new Set([...before.keys(), ...after.keys()])].sort(byCodePoint)
  return files.flatMap((file): Drift[] => {
    const [language = '', module = ''] = file.split('\n')
    const [old, now] = [before.get(file), after.get(file)]
    if (!old || !now) return [{ language, module, keys: [], state: old ? 'removed' : 'added' }]
    const keys = [...new Set([...old.keys(), ...now.keys()])].filter(
      (key) => old.has(key) !== now.has(key) || old.get(key) !== now.get(key),
    )
    return keys.length === 0 ? [] : [{ language, module, keys, state: 'changed' }]
  })
}

const translationsByFile = ({ modules }: Catalog) =>
  new Map(
    modules.flatMap(({ name, translations }) =>
      [...translations].map(([language, file]) => [`${language}\n${name}`, file] as const),
    ),
  )
