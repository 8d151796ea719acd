import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../packages/workspace/lib/root.mjs'
import { cell } from './table.mjs'

/** Interfaces of options, with the place where a user writes them. */
const groups = [
  {
    title: 'servicekit.config',
    about: 'Options of `defineConfig` in `servicekit.config.ts`.',
    file: 'packages/catalog/src/config.ts',
    name: 'ServicekitConfig',
  },
  {
    title: 'localization',
    about: 'Translations. The plugin accepts the same options, which override those of the file.',
    file: 'packages/catalog/src/options.ts',
    name: 'CatalogOptions',
  },
  {
    title: 'gateway',
    about: 'Data access that `servicekit codegen` generates.',
    file: 'packages/catalog/src/config.ts',
    name: 'GatewayOptions',
  },
  {
    title: 'check',
    about: 'Options of `servicekit check`.',
    file: 'packages/catalog/src/check-options.ts',
    name: 'CheckOptions',
    without: ['project', 'updateBaseline'],
  },
  {
    title: 'Plugin',
    about: 'Options of `uilm()`, in addition to those of `localization`.',
    file: 'packages/unplugin/src/options.ts',
    name: 'UilmOptions',
  },
  {
    title: 'inspect',
    about: 'Finding keys in development, an option of the plugin.',
    file: 'packages/unplugin/src/options.ts',
    name: 'InspectOptions',
  },
  {
    title: 'Language of a request',
    about: 'Options of `handleLanguage` and of the adapters of frameworks.',
    file: 'packages/catalog/src/emit/server.ts',
    name: 'LanguageOptions',
  },
]

/** Returns the page of all options, from the types and their comments. */
export const configPage = () =>
  [
    '# Config options',
    'Generated from the types. An unknown option is an error that suggests the closest known one. Paths are relative to the folder of the config file.',
    ...groups.flatMap(({ title, about, file, name, without = [] }) => [
      `## ${title}`,
      about,
      [
        '| option | type | description |',
        '| --- | --- | --- |',
        ...membersOf(file, name)
          .filter((member) => !without.includes(member.name))
          .map(
            (member) =>
              `| \`${member.name}\` | ${cell(`\`${member.type}\``)} | ${cell(member.comment)} |`,
          ),
      ].join('\n'),
    ]),
  ].join('\n\n') + '\n'

/**
 * Returns the members of an interface. Members without a comment are described by the
 * sections of this page.
 *
 * @param {string} file
 * @param {string} name
 */
function membersOf(file, name) {
  const text = readFileSync(join(root, file), 'utf8')
  // The declarations of `~uilm/server` are a string in a source file.
  const [own = ''] = new RegExp(`export interface ${name}\\b[\\s\\S]*?\\n}\\n`).exec(text) ?? []
  const source = ts.createSourceFile(file, own.replaceAll('\\`', '`'), ts.ScriptTarget.Latest, true)
  const found = source.statements.find(
    /** @returns {statement is ts.InterfaceDeclaration} */
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  )
  if (!found) throw new Error(`${file} has no interface ${name}`)
  return found.members.filter(ts.isPropertySignature).map((member) => {
    const key = member.name.getText()
    return {
      name: key,
      type: (member.type?.getText() ?? 'unknown')
        .replaceAll(/\breadonly\s+/g, '')
        .replaceAll(/\s+/g, ' '),
      comment: commentOf(member) || `See [${key}](#${key}).`,
    }
  })
}

/** @param {ts.Node} node */
const commentOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
