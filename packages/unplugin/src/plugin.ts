import { dirname, join } from 'node:path'
import { openProject, type Project } from '@servicekit/catalog'
import { loadConfig } from '@servicekit/catalog/config'
import { createUnplugin, type UnpluginInstance } from 'unplugin'
import { cutPacks } from './core/chunk-packs.ts'
import { followTexts } from './core/dev-server.ts'
import { modulePrefix, parseSpecifier, specifierOf, virtualId } from './core/ids.ts'
import { rewriteImports } from './core/rewrite-imports.ts'
import { createSession, type Log, type Session } from './core/session.ts'
import { virtualCode } from './core/virtual-code.ts'
import { resolveOptions, type UilmOptions } from './options.ts'

/** What is known once the bundler's own configuration is. */
interface Running {
  readonly project: Project
  readonly session: Session
  readonly started: Promise<void>
}

/**
 * The plugin for every bundler. Options left out are read from
 * `servicekit.config.*` beside the project.
 */
export const unplugin: UnpluginInstance<UilmOptions | undefined, false> = createUnplugin<
  UilmOptions | undefined,
  false
>((options = {}) => {
  const { catalog, pollMs, webhook } = resolveOptions(options)
  let root = catalog.root
  let dev = false
  let log: Log = { info: console.log, warn: console.warn }
  let running: Promise<Running> | undefined

  const run = (): Promise<Running> => (running ??= open())
  const open = async (): Promise<Running> => {
    const config = await loadConfig(root)
    const project = openProject({ ...config.localization, ...catalog, root: root ?? '.' })
    const session = createSession(project)
    return { project, session, started: session.start(log) }
  }
  const session = async (): Promise<Session> => {
    const { session, started } = await run()
    await started
    return session
  }

  return {
    name: 'servicekit',
    // After TypeScript, JSX and component files have become JavaScript.
    enforce: 'post',

    async buildStart() {
      await session()
    },

    resolveId(id) {
      return parseSpecifier(id) ? virtualId(id) : undefined
    },

    load: {
      filter: { id: /^\0~uilm/ },
      async handler(id) {
        const specifier = specifierOf(id)
        const virtual = specifier === undefined ? undefined : parseSpecifier(specifier)
        if (!virtual) return undefined
        const { model } = await session()
        const code = virtualCode(virtual, {
          model: model(),
          storageKey: (await run()).project.options.storageKey,
          dev,
        })
        if (code !== undefined) return { code, map: null }
        const names = model().modules.map(({ name }) => name)
        throw new Error(
          `${specifier} is not in the translations; there are ${names.map((name) => modulePrefix + name).join(', ')}`,
        )
      },
    },

    transform: {
      filter: { id: { exclude: /^\0~uilm/ }, code: modulePrefix },
      async handler(code) {
        if (dev) return undefined
        const { model } = await session()
        return rewriteImports({
          code,
          parse: (text) => this.parse(text) as { body: unknown[] },
          findModule: (name) => model().modules.find((module) => module.name === name),
        })
      },
    },

    vite: {
      configResolved(config) {
        root ??= config.root
        dev = config.command === 'serve'
        const { logger } = config
        log = {
          info: (message) => logger.info(`[uilm] ${message}`),
          warn: (message) => logger.warn(`[uilm] ${message}`),
        }
      },

      async configureServer(server) {
        const { project, session, started } = await run()
        await started
        followTexts(server, {
          session,
          pollMs,
          secret: webhook,
          log,
          online: project.hasSource && !(await project.frozen()),
          lockFile: project.options.lockFile,
          baseUrl: project.options.baseUrl,
          projectKey: project.options.projectKey,
        })
      },

      async renderChunk(code, chunk) {
        const { model } = await session()
        const cut = cutPacks({
          code,
          model: model(),
          parse: (text) => this.parse(text) as { body: unknown[] },
        })
        if (!cut) return undefined
        for (const { name, source } of cut.packs) {
          const fileName = join(dirname(chunk.fileName), name).replaceAll('\\', '/')
          this.emitFile({ type: 'asset', fileName, source })
        }
        return { code: cut.code, map: cut.map }
      },
    },
  }
})
