import { basename, dirname, join, relative } from 'node:path'
import { statIfExists } from '@servicekit/core/node'
import { exportName } from '../source/syntax-tree.ts'
import type { FileImports } from './file-imports.ts'
import type { LoaderContext, LoaderOptions } from './loader-context.ts'
import { isForeign } from './foreign.ts'
import { findLookup, findMessage, findModule, type MessageIndex } from './message-index.ts'

/** Input of {@link keysCode}. */
export interface KeysInput {
  readonly file: FileImports
  /** Base name of the file. */
  readonly name: string
  /** `true` below `'use client'`, where messages count. */
  readonly isClient: boolean
  readonly index: MessageIndex
  /** Returns the specifier to follow; undefined for files that use no messages. */
  readonly follow: (specifier: string) => string | undefined
}

/**
 * Returns a module that lists the messages that a file leads to, instead of its own code.
 * It imports the same modules of its imports, so that the bundler's own resolution, graph and
 * HMR apply. Exports have the names of the file's exports, so that a file that imports one
 * name of a barrel file does not count the others.
 *
 * ```js
 * import * as i0 from './total?uilm-keys=client'
 * import { ITEMS as m0 } from '~uilm/cart'
 * export function $own(seen) { … m0, i0.Total … }
 * ```
 */
export function keysCode(input: KeysInput): string {
  const { file, name, isClient } = input
  if (file.directive === 'server') return emptyKeys(file)
  if (file.directive === 'client' && !isClient) {
    const own = JSON.stringify(`./${name}${clientQuery}`)
    return `export * from ${own}\nexport { default, $all, $own } from ${own}\n`
  }
  const head: string[] = []
  const own: string[] = []
  const all: string[] = ['$own']
  const tail = file.exports.map((exported) => `export { $own as ${exportName(exported)} }`)
  const exported = new Set(file.exports)
  const importAll = (specifier: string): string => {
    const local = `i${head.length}`
    head.push(`import * as ${local} from ${JSON.stringify(specifier)}`)
    return local
  }
  const follow = (specifier: string): string | undefined => {
    const followed = input.follow(specifier)
    return followed && `${followed}${isClient ? clientQuery : serverQuery}`
  }

  for (const { specifier, names } of file.imports) {
    if (isMessages(specifier)) {
      if (isClient) own.push(...messagesOf(input, specifier, names, head))
      continue
    }
    const followed = follow(specifier)
    if (!followed) continue
    const local = importAll(followed)
    own.push(
      ...(names ? names.map((one) => `pick(${local}, ${JSON.stringify(one)})`) : [`${local}.$all`]),
    )
  }
  for (const specifier of file.dynamic) {
    if (isMessages(specifier)) {
      if (isClient) own.push(...messagesOf(input, specifier, undefined, head))
      continue
    }
    const followed = follow(specifier)
    if (followed) own.push(`${importAll(followed)}.$all`)
  }
  for (const { specifier, names, namespace } of file.reexports) {
    const followed = isMessages(specifier)
      ? isClient && findModule(input.index, specifier)
        ? specifier
        : undefined
      : follow(specifier)
    if (!followed) continue
    const from = JSON.stringify(followed)
    if (names) {
      for (const [there, here] of names) {
        exported.add(here)
        tail.push(`export { ${exportName(there)} as ${exportName(here)} } from ${from}`)
      }
    } else if (namespace === undefined) tail.push(`export * from ${from}`)
    if (isMessages(specifier)) continue
    const local = importAll(followed)
    all.push(`${local}.$all`)
    if (namespace !== undefined) {
      exported.add(namespace)
      tail.push(`export { $all as ${exportName(namespace)} } from ${from}`)
    }
  }
  if (!exported.has('default')) tail.push('export { $own as default }')
  return `${head.join('\n')}
const pick = (from, name) => from[name] ?? from.$own
const list = (sources, seen) => sources.flatMap((one) => (one?.id ? one : (one?.(seen) ?? [])))
export function $own(seen) { return seen.has($own) ? [] : (seen.add($own), list([${own.join(', ')}], seen)) }
export function $all(seen) { return seen.has($all) ? [] : (seen.add($all), list([${all.join(', ')}], seen)) }
${tail.join('\n')}
`
}

export const serverQuery = '?uilm-keys'
export const clientQuery = '?uilm-keys=client'

/** Browsers call actions by reference, so their messages stay on the server. */
const emptyKeys = ({ exports }: FileImports): string =>
  [
    'export const $own = () => []',
    'export { $own as $all }',
    ...new Set([...exports, 'default'].map((name) => `export { $own as ${exportName(name)} }`)),
    '',
  ].join('\n')

const isMessages = (specifier: string): boolean => /^~uilm(?:\/|$)/.test(specifier)

/** Imports messages and returns expressions for them. */
function messagesOf(
  { index }: KeysInput,
  specifier: string,
  names: readonly string[] | undefined,
  head: string[],
): readonly string[] {
  const from = JSON.stringify(specifier)
  const local = `m${head.length}`
  const lookup = findLookup(index, specifier)
  if (lookup) {
    head.push(`import { messages as ${local} } from ${from}`)
    return [`...Object.values(${local})`]
  }
  const module = findModule(index, specifier)
  if (!module) return []
  if (!names) {
    head.push(`import * as ${local} from ${from}`)
    return [`...Object.values(${local})`]
  }
  const known = names.filter((name) => findMessage(module, name))
  if (known.length === 0) return []
  const list = known.map((name, index) => `${exportName(name)} as ${local}_${index}`)
  head.push(`import { ${list.join(', ')} } from ${from}`)
  return known.map((_, index) => `${local}_${index}`)
}

/**
 * Resolves the imports of a file that are not those of files, because the aliases of a
 * tsconfig and folders lose the query.
 *
 * @returns the function for {@link KeysInput.follow}.
 */
export async function resolveFollowed(
  loader: Pick<LoaderContext, 'getResolve'>,
  { packages, otherPackages }: Pick<LoaderOptions, 'packages' | 'otherPackages'>,
  file: FileImports,
  path: string,
): Promise<KeysInput['follow']> {
  const folder = dirname(path)
  const resolve = loader.getResolve({})
  const specifiers = [...file.imports, ...file.reexports].map(({ specifier }) => specifier)
  const resolved = new Map<string, string>()
  await Promise.all(
    [...new Set([...specifiers, ...file.dynamic])].map(async (specifier) => {
      if (isFile(folder, specifier) || isMessages(specifier) || isAsset(specifier)) return
      if (specifier.startsWith('node:') || otherPackages.includes(packageOf(specifier))) return
      const found = await resolve(folder, specifier).catch(() => undefined)
      if (!found || isAsset(found) || isForeign(found, packages)) return
      const way = relative(folder, found).replaceAll('\\', '/')
      resolved.set(specifier, way.startsWith('.') ? way : `./${way}`)
    }),
  )
  return (specifier) =>
    resolved.get(specifier) ??
    (isFile(folder, specifier) && !isAsset(specifier) ? specifier : undefined)
}

/** Returns whether a specifier is relative and not that of a folder. */
const isFile = (folder: string, specifier: string): boolean =>
  /^\.{1,2}\//.test(specifier) && !statIfExists(join(folder, specifier))?.isDirectory()

/** Style sheets, images and the like: an extension that is not that of code. */
const isAsset = (path: string): boolean => {
  const extension = /\.(\w+)(?:\?.*)?$/.exec(basename(path))?.[1]
  return extension !== undefined && assets.test(extension)
}
const assets =
  /^(?:css|scss|sass|less|json|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|eot|mp[34]|webm|pdf|txt|md|mdx|wasm|node|graphql|gql|ya?ml|html)$/i

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
