/**
 * Types of files that can use messages, by extension: the only list. `init` writes examples in
 * them, `check`, `push`, `rename` and `migrate` read them. A new type needs an entry here, and the
 * compiler then demands its reader.
 */
export const sourceTypes = {
  js: 'script',
  jsx: 'script',
  mjs: 'script',
  mjsx: 'script',
  cjs: 'script',
  cjsx: 'script',
  ts: 'script',
  tsx: 'script',
  mts: 'script',
  mtsx: 'script',
  cts: 'script',
  ctsx: 'script',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  mdx: 'mdx',
  md: 'markdown',
  html: 'html',
  htm: 'html',
} as const

export type SourceType = (typeof sourceTypes)[keyof typeof sourceTypes]

/** Path of a file of a type that can use messages. */
export type SourcePath = `${string}.${keyof typeof sourceTypes}`

/** Returns the type of a file; undefined if it cannot use messages, or its type is unknown. */
export function sourceTypeOf(path: string): SourceType | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
  return Object.hasOwn(sourceTypes, extension)
    ? sourceTypes[extension as keyof typeof sourceTypes]
    : undefined
}

/**
 * Returns whether a file is of a type that holds data, settings or styles, which name modules but
 * import nothing.
 */
export const isDataFile = (path: string): boolean =>
  /\.(?:json[c5]?|ya?ml|toml|lock|txt|log|map|css|s[ac]ss|less|styl|svg|xml|csv|tsv|snap|patch|diff|sql|graphql|gql|po|pot|xlf|xliff|properties|ini|d\.[cm]?ts)$/i.test(
    path,
  ) || /(?:^|\/)(?:\.[^/]*|[^./]*)$/.test(path)
