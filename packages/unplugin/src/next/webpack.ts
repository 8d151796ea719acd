import { join } from 'node:path'
import type { Compiler, Configuration } from 'webpack'
import { compilerRuntimePath } from './compiler-runtime.ts'
import { isForeign } from './foreign.ts'
import type { LoaderOptions } from './loader-context.ts'
import { rawQuery } from './segment.ts'
import type { BundlerInput } from './turbopack.ts'

/** Adds the aliases and loader rules to the configuration of webpack. */
export function addToWebpack(
  config: Configuration,
  { isServer }: { readonly isServer: boolean },
  { outDir, loader, options }: BundlerInput,
): void {
  const use = (own: Pick<LoaderOptions, 'role' | 'browser'>) => [
    { loader, options: { ...options, ...own } },
  ]
  config.resolve ??= {}
  config.resolve.alias = {
    ...config.resolve.alias,
    '~uilm$': join(outDir, 'index.js'),
    '~uilm': join(outDir, isServer ? 'server' : 'browser'),
    '~uilm-next': outDir,
  }
  config.plugins = [...(config.plugins ?? []), { apply: dropQueryOfClientSegments }]
  config.module ??= {}
  config.module.rules = [
    ...(config.module.rules ?? []),
    // A server renders each page once.
    ...(isServer
      ? []
      : [{ test: compilerRuntimePath, use: use({ role: 'compiler', browser: true }) }]),
    { resourceQuery: /[?&]uilm-keys/, use: use({ role: 'keys', browser: false }) },
    {
      test: /\.[cm]?[jt]sx?$/,
      resourceQuery: { not: /[?&]uilm-/ },
      exclude: (path) => isForeign(path, options.packages) || path.startsWith(outDir),
      use: use({ role: 'source', browser: !isServer }),
    },
  ]
}

/**
 * Drops the query of a page that is itself a client component where the graph of client
 * components begins, as Turbopack does. References to client components have none.
 */
function dropQueryOfClientSegments(compiler: Compiler): void {
  compiler.hooks.normalModuleFactory.tap('servicekit', (factory) => {
    factory.hooks.beforeResolve.tap('servicekit', (data) => {
      if (data.contextInfo.issuerLayer !== 'rsc' && data.request.endsWith(rawQuery)) {
        data.request = data.request.slice(0, -rawQuery.length)
      }
    })
  })
}
