import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { outputOptions } from '@servicekit/contract/output-options'
import { root } from '../../packages/workspace/lib/root.mjs'
import { cell } from './table.mjs'

/**
 * @typedef {object} Group Section of a page.
 * @property {string} title
 * @property {string} about
 * @property {string} file
 * @property {string} name Interface, or constant object, in the file.
 * @property {CheckedTable} [table] Options that the interface takes from a table.
 *
 * @typedef {object} CheckedTable Constant object of options with their values and defaults.
 * @property {string} file
 * @property {string} name
 * @property {Readonly<Record<string, { expected: string, byDefault: unknown }>>} options
 */

/** Interfaces of options, with the place where a user writes them. */
const applicationGroups = [
  {
    title: 'servicekit.config',
    about: 'Options of `defineConfig` in `servicekit.config.ts`.',
    file: 'packages/catalog/src/config/config.ts',
    name: 'ServicekitConfig',
  },
  {
    title: 'Service',
    about:
      'Instance of the service: options of `defineConfig`, of the plugin, of `createClient` and of `generate`.',
    file: 'packages/contract/src/service.ts',
    name: 'ServiceOptions',
  },
  {
    title: 'localization',
    about: 'Translations. The plugin accepts the same options, which override those of the file.',
    file: 'packages/catalog/src/config/options.ts',
    name: 'CatalogOptions',
  },
  {
    title: 'gateway',
    about: 'Data access that `servicekit codegen` generates.',
    file: 'packages/catalog/src/config/config.ts',
    name: 'GatewayOptions',
    table: {
      file: 'packages/contract/src/output-options.ts',
      name: 'outputOptions',
      options: outputOptions,
    },
  },
  {
    title: 'check',
    about: 'Options of `servicekit check`.',
    file: 'packages/catalog/src/config/check-config.ts',
    name: 'CheckConfig',
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
    file: 'packages/catalog/declarations/server.d.ts',
    name: 'LanguageOptions',
  },
]

const platformGroups = [
  {
    title: 'Platform',
    about: 'Options of `createPlatform` and `startPlatform`.',
    file: 'packages/platform/src/options.ts',
    name: 'shape',
  },
  {
    title: 'gateway',
    about: 'Limits of the data gateway.',
    file: 'packages/platform/src/options.ts',
    name: 'gateway',
  },
  {
    title: 'webhooks',
    about: 'Webhook deliveries.',
    file: 'packages/platform/src/options.ts',
    name: 'webhooks',
  },
  {
    title: 'Listening',
    about: 'More options of `startPlatform`.',
    file: 'packages/platform/src/node.ts',
    name: 'ListenOptions',
  },
]

/** Returns the page of the options of applications, from the types and their comments. */
export const configPage = () =>
  pageOf(
    'Config options',
    'Generated from the types. An unknown option is an error that suggests the closest known one. Paths are relative to the folder of the config file.',
    applicationGroups,
  )

/** Returns the page of the options of the local platform. */
export const platformPage = () =>
  pageOf(
    'Platform options',
    'Generated from the sources. All options have defaults: `{}` is an empty platform in memory.',
    platformGroups,
  )

/**
 * @param {string} title
 * @param {string} about
 * @param {readonly Group[]} groups
 */
const pageOf = (title, about, groups) =>
  `${[
    `# ${title}`,
    about,
    ...groups.flatMap((group) => [`## ${group.title}`, group.about, tableOf(group)]),
  ].join('\n\n')}\n`

/** @param {Group} group */
function tableOf({ file, name, table }) {
  const members = [...membersOf(file, name), ...(table ? checkedMembers(table) : [])]
  // Options that a schema validates have no types to print.
  const hasTypes = members.some(({ type }) => type !== '')
  return [
    ['option', ...(hasTypes ? ['type'] : []), 'description'],
    hasTypes ? ['---', '---', '---'] : ['---', '---'],
    ...members.map(({ name: option, type, comment }) => [
      `\`${option}\``,
      ...(hasTypes ? [cell(`\`${type}\``)] : []),
      cell(comment),
    ]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

/**
 * Returns the members of an interface or of a constant object. Members without a comment are
 * described by the sections of the page.
 *
 * @param {string} file
 * @param {string} name
 */
function membersOf(file, name) {
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const own = source.statements.find((node) =>
    ts.isVariableStatement(node)
      ? node.declarationList.declarations.some((one) => one.name.getText() === name)
      : ts.isInterfaceDeclaration(node) && node.name.text === name,
  )
  /** @type {(ts.PropertySignature | ts.PropertyAssignment | ts.ShorthandPropertyAssignment)[]} */
  const members = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node))
      members.push(...node.members.filter(ts.isPropertySignature))
    else if (ts.isObjectLiteralExpression(node)) {
      members.push(
        ...node.properties.filter(
          (one) => ts.isPropertyAssignment(one) || ts.isShorthandPropertyAssignment(one),
        ),
      )
    } else node.forEachChild(visit)
  }
  if (own) visit(own)
  if (members.length === 0) throw new Error(`${file} has no ${name}`)
  return members.map((member) => {
    const key = member.name.getText()
    return {
      name: key,
      type: ts.isPropertySignature(member)
        ? (member.type?.getText() ?? 'unknown')
            .replaceAll(/\breadonly\s+/g, '')
            .replaceAll(/\s+/g, ' ')
        : '',
      comment: commentOf(member) || `See [${key}](#${key}).`,
    }
  })
}

/** @param {CheckedTable} table */
const checkedMembers = ({ file, name, options }) =>
  membersOf(file, name).map((member) => {
    const option = options[member.name]
    if (!option) throw new Error(`${name} has no option ${member.name}`)
    const { expected, byDefault } = option
    const isStated = byDefault === false || /\bDefault: /.test(member.comment)
    const ending = isStated ? '' : ` Default: \`${JSON.stringify(byDefault).replaceAll('"', '')}\`.`
    return { ...member, type: expected, comment: member.comment + ending }
  })

/** @param {ts.Node} node */
const commentOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
