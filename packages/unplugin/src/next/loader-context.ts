/** Part of a loader's context that webpack and Turbopack both offer. */
export interface LoaderContext {
  readonly resourcePath: string
  readonly resourceQuery: string
  /** Folder of the file. */
  readonly context: string
  readonly getOptions: () => LoaderOptions
  readonly addDependency: (file: string) => void
  readonly addContextDependency?: (folder: string) => void
  readonly getResolve: (options: object) => (folder: string, request: string) => Promise<string>
  readonly async: () => LoaderCallback
}

type LoaderCallback = (error: Error | null, code?: string, map?: object) => void

/** Options of the loader. JSON, because Turbopack passes them to other processes. */
export interface LoaderOptions {
  /**
   * `source` edits files of the application, `keys` lists the messages of a file, `compiler`
   * edits React's runtime of React Compiler.
   */
  readonly role: 'source' | 'keys' | 'compiler'
  /** `true` for code of browsers. */
  readonly browser: boolean
  readonly root: string
  /** Folder of the generated modules. */
  readonly outDir: string
  readonly appDir: string | null
  readonly pagesDir: string | null
  readonly extensions: readonly string[]
  /**
   * `true` if pages of the Pages Router are the same for all visitors of an address: it has languages
   * in its configuration (`i18n`), and there is no cookie with a time zone.
   */
  readonly isStatic: boolean
  /** Packages in `node_modules` whose files may use messages. */
  readonly packages: readonly string[]
  /** Packages that use no messages. */
  readonly otherPackages: readonly string[]
}
