import { imports } from './code-parts.ts'
import {
  chunksSpecifier,
  liveSpecifier,
  type WebpackFile,
  webpackPrefix,
  withSpecifiers,
} from './ids.ts'
import { readRuntime } from './read-runtime.ts'

/**
 * Returns the code of a file that loads messages in bundles of webpack and rspack.
 *
 * @param options `isServer`: files are next to the bundle and not at its public path.
 * `isLive`: the page may load newer packs than those of the build.
 */
export function webpackFileCode(
  name: WebpackFile,
  { isServer, isLive }: { readonly isServer: boolean; readonly isLive: boolean },
): string {
  const files: Readonly<Record<WebpackFile, string>> = {
    chunks: 'chunks',
    'load-pack': isLive ? 'load-live-pack' : 'load-pack',
    base: isServer ? 'server-base' : 'base',
  }
  return withSpecifiers(readRuntime(`webpack/${files[name]}.js`), webpackPrefix)
}

/** Returns the import of the function that registers packs, under the name `pack`. */
export const packImport = (isLive: boolean): string =>
  isLive ? `import { livePack as pack } from '${liveSpecifier}'` : imports('pack')

/**
 * Returns the code of the module that precedes an entry and awaits the messages of its
 * initial chunks.
 */
export const entryCode = (entry: string, requests: readonly string[]): string =>
  `import { start } from '${chunksSpecifier}'

start(${JSON.stringify(`~uilm-start/${entry}`)})${requests
    .map((request) => `.then(() => import(/* webpackMode: "eager" */ ${JSON.stringify(request)}))`)
    .join('')}
`
