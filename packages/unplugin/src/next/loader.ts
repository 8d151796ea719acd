import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { MagicString } from 'magic-string'
import { parseSource } from '../source/parse-source.ts'
import { checkKeys } from './check-keys.ts'
import { fileImports } from './file-imports.ts'
import { keysCode, resolveFollowed } from './keys.ts'
import type { LoaderContext, LoaderOptions } from './loader-context.ts'
import { type MessageIndex, readIndex } from './message-index.ts'
import { rewriteForBrowser } from './browser-imports.ts'
import { pageKindOf, wrapPage } from './page.ts'
import { segmentKindOf, wrapSegment } from './segment.ts'

/**
 * Loader of webpack and Turbopack. Its option `role` says what it does: `source` checks and
 * edits files of the application, `keys` lists the messages of a file, `compiler` edits React's
 * runtime of React Compiler.
 */
function uilmLoader(this: LoaderContext, source: string): void {
  const done = this.async()
  roles[this.getOptions().role](this, source).then(
    ({ code, map }) => done(null, code, map),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
  )
}

const roles: Readonly<
  Record<LoaderOptions['role'], (loader: LoaderContext, source: string) => Promise<Loaded>>
> = {
  source: loadSource,
  keys: loadKeys,
  compiler: async (_, source) => ({
    code: `${source}
const { withMessages } = require('~uilm-next/react-compiler')
module.exports = { ...module.exports, c: withMessages(module.exports.c) }
`,
  }),
}

// Bundlers call the default export of a loader.
// oxlint-disable-next-line import/no-default-export
export default uilmLoader

interface Loaded {
  readonly code: string
  readonly map?: object
}

/** Returns the module that lists the messages of a file. */
async function loadKeys(loader: LoaderContext, given: string): Promise<Loaded> {
  const options = loader.getOptions()
  const query = new URLSearchParams(loader.resourceQuery)
  // webpack's compiler requires 'use client' in every file called error.tsx, so the messages
  // of these are asked of another file.
  const of = query.get('uilm-of')
  const path = of === null ? loader.resourcePath : resolve(options.root, of)
  if (of !== null) loader.addDependency(path)
  const source = of === null ? given : readFileSync(path, 'utf8')
  const program = parseSource(source, path)
  if (!program) return { code: 'export const $own = () => []\nexport { $own as $all }\n' }
  const file = fileImports(program)
  const follow = await resolveFollowed(loader, options, file, path)
  const folder = relative(loader.context, dirname(path)).replaceAll('\\', '/')
  const code = keysCode({
    file,
    name: basename(path),
    isClient: of !== null || query.get('uilm-keys') === 'client',
    index: indexOf(loader),
    follow(specifier) {
      const followed = follow(specifier)
      if (followed === undefined || of === null) return followed
      const moved = join(folder, followed).replaceAll('\\', '/')
      return moved.startsWith('.') ? moved : `./${moved}`
    },
  })
  return { code }
}

/** Checks and edits a file of the application. */
async function loadSource(loader: LoaderContext, source: string): Promise<Loaded> {
  const options = loader.getOptions()
  const path = loader.resourcePath
  const kind = options.browser ? undefined : segmentKindOf(path, options)
  const page = pageKindOf(path, options)
  const usesMessages = source.includes('~uilm/')
  if (!usesMessages && !kind && !page) return { code: source }
  const edited = new MagicString(source)
  if (usesMessages) {
    const index = indexOf(loader)
    const program = parseSource(source, path)
    if (program) await checkKeys(program, { file: path, source }, index)
    if (program && options.browser) rewriteForBrowser(edited, program, index)
  }
  if (kind && (await isServerGraph(loader))) await wrapSegment(loader, kind, edited, source)
  if (page) wrapPage(loader, page, edited, source)
  if (!edited.hasChanged()) return { code: source }
  return {
    code: edited.toString(),
    map: edited.generateMap({ source: path, includeContent: true, hires: 'boundary' }),
  }
}

/**
 * Returns whether a file is compiled for the graph of server components: only that graph
 * resolves the condition `react-server`.
 */
async function isServerGraph(loader: LoaderContext): Promise<boolean> {
  const found = await loader.getResolve({})(loader.getOptions().outDir, '#language')
  return basename(found) === 'rsc.js'
}

function indexOf(loader: LoaderContext): MessageIndex {
  const file = join(loader.getOptions().outDir, 'messages.json')
  loader.addDependency(file)
  return readIndex(file)
}
