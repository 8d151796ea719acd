import { relative } from 'node:path'
import type { NextConfig } from 'next'
import type { Application } from './application.ts'
import { compilerRuntimePath } from './compiler-runtime.ts'
import type { LoaderOptions } from './loader-context.ts'

type TurbopackConfig = NonNullable<NextConfig['turbopack']>
type Rules = NonNullable<TurbopackConfig['rules']>

export interface BundlerInput {
  readonly application: Application
  readonly outDir: string
  /** Absolute path of the loader. */
  readonly loader: string
  readonly options: Omit<LoaderOptions, 'role' | 'browser'>
}

const codeFiles = '*.{js,jsx,ts,tsx,mjs,mts,cjs,cts}'

/** Adds the aliases and loader rules to the configuration of Turbopack. */
export function turbopackConfig(
  config: TurbopackConfig = {},
  { application, outDir, loader, options }: BundlerInput,
): TurbopackConfig {
  // Absolute targets are not supported, and those in packages lose their query.
  const folder = `./${relative(application.root, outDir).replaceAll('\\', '/')}`
  const loaders = (own: Pick<LoaderOptions, 'role' | 'browser'>) => [
    { loader, options: { ...options, ...own } as unknown as Record<string, never> },
  ]
  const isKeys = { query: /[?&]uilm-keys/ }
  const isOwn = { query: /[?&]uilm-/ }
  const usesMessages = { content: /~uilm\// }
  const pagePath = new RegExp(`(?:^|/)pages/.*${extensionPattern(application)}$`)
  const rules: Rules = config.rules ?? {}
  return {
    ...config,
    resolveAlias: {
      ...config.resolveAlias,
      '~uilm': `${folder}/index.js`,
      '~uilm/*': { browser: `${folder}/browser/*.js`, default: `${folder}/server/*.js` },
      '~uilm-next/*': `${folder}/*.js`,
    },
    rules: {
      ...rules,
      [codeFiles]: [
        ...[rules[codeFiles] ?? []].flat(),
        // A server renders each page once.
        {
          condition: { all: ['browser', { path: compilerRuntimePath }] },
          loaders: loaders({ role: 'compiler', browser: true }),
        },
        { condition: isKeys, loaders: loaders({ role: 'keys', browser: false }), as: '*.js' },
        {
          condition: {
            all: ['browser', { any: [usesMessages, { path: pagePath }] }, { not: isOwn }],
          },
          loaders: loaders({ role: 'source', browser: true }),
        },
        {
          condition: {
            all: [
              { not: 'browser' },
              { any: [usesMessages, { path: segmentPath(application) }] },
              { not: isOwn },
            ],
          },
          loaders: loaders({ role: 'source', browser: false }),
        },
      ],
    },
  }
}

/** Matches the files that the routers show, and a few more. The loader is exact. */
function segmentPath(application: Application): RegExp {
  const names = 'page|layout|template|default|loading|not-found|forbidden|unauthorized'
  return new RegExp(`(?:^|/)(?:app/(?:.*/)?(?:${names})|pages/.*)${extensionPattern(application)}$`)
}

const extensionPattern = ({ extensions }: Application): string =>
  `\\.(?:${extensions.map((one) => one.replaceAll('.', '\\.')).join('|')})`
