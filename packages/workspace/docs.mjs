/**
 * Writes the reference of the client's public names as HTML, a page for each
 * import, from the comments in its sources.
 *
 *     node packages/workspace/docs.mjs
 */
import { basename, join } from 'node:path'
import { Application, Converter, ReflectionKind } from 'typedoc'
import { entrySources } from './checks/documented.mjs'
import { isMain } from './lib/main.mjs'
import { readPackages } from './lib/packages.mjs'
import { root } from './lib/root.mjs'

/**
 * Writes the pages.
 *
 * @param {string} out folder that the pages go to
 * @returns {Promise<boolean>} false where something is wrong with the comments, after it was said
 */
export async function writeReference(out) {
  const item = readPackages().find(({ folder }) => folder === 'client')
  if (!item) throw new Error('there is no client')
  const entries = entrySources(item)
  const app = await Application.bootstrap({
    entryPoints: entries.map(({ file }) => file),
    // Without the tests, which read the sources of the platform.
    tsconfig: join(import.meta.dirname, 'docs.tsconfig.json'),
    name: item.name,
    readme: join(item.path, 'README.md'),
    includeVersion: true,
    excludePrivate: true,
    // That names are documented is checked by checks/documented.mjs.
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    disableSources: true,
    hideGenerator: true,
    sort: ['alphabetical'],
    groupOrder: ['Functions', 'Variables', 'Classes', '*'],
    customCss: join(import.meta.dirname, 'docs.css'),
    navigation: { includeGroups: true },
    logLevel: 'Warn',
    treatWarningsAsErrors: true,
  })
  // Sources are named after files; users know them by what they import.
  const names = new Map(entries.map(({ name, file }) => [basename(file, '.ts'), name]))
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = names.get(module.name) ?? module.name
    }
  })
  const project = await app.convert()
  if (!project) return false
  app.validate(project)
  await app.generateDocs(project, out)
  return !app.logger.hasErrors() && !app.logger.hasWarnings()
}

if (isMain(import.meta.url)) {
  const out = join(root, '.servicekit', 'reference')
  const isFine = await writeReference(out)
  if (isFine) console.log(join(out, 'index.html'))
  else process.exitCode = 1
}
