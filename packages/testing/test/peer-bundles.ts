import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { temporaryFolder } from '../src/folder.ts'

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Folders of its packages. */
export const packages = readdirSync(join(root, 'packages')).map((name) =>
  join(root, 'packages', name),
)

/**
 * Returns the folder of a peer in the project of other versions, by its name there, or in the
 * workspace.
 */
export function folderOf(peer: string, alias?: string): string {
  if (alias !== undefined) return join(root, 'packages/testing/projects/peers/node_modules', alias)
  return [root, ...packages]
    .map((folder) => join(folder, 'node_modules', peer))
    .find((folder) => existsSync(folder))!
}

export const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
export const majorOf = (version: string): number => Number.parseInt(version, 10)

/** Bundles a file of a package; peers are imported from the folders given by name. */
export async function bundleOf(
  file: string,
  peers: Readonly<Record<string, string>>,
  bundled: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, target] of Object.entries(peers)) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(target, link, 'dir')
  }
  await using bundle = await rolldown({
    input: resolve(root, file),
    platform: 'node',
    checks: { pluginTimings: false },
    external: Object.keys(peers).map((name) => new RegExp(`^${name}(?:/|$)`)),
    resolve: { alias: bundled, conditionNames: ['source', 'node', 'import'] },
  })
  const output = join(folder, 'bundle.mjs')
  await bundle.write({ file: output, format: 'esm', codeSplitting: false })
  return output
}

/** Bundles a file like {@link bundleOf}, and imports it. */
export async function load<Module>(...args: Parameters<typeof bundleOf>): Promise<Module> {
  return (await import(/* @vite-ignore */ pathToFileURL(await bundleOf(...args)).href)) as Module
}
