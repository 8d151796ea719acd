import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { slugify } from '../.vitepress/slugify.mjs'
import { readJson, root } from '../../packages/workspace/lib/root.mjs'
import { cell } from './table.mjs'

/** @typedef {Record<string, any>} Json */

const groups = /** @type {Record<string, string>} */ ({
  auth: 'Sessions and tokens',
  iam: 'Users: /iam/v4/iam',
  idp: 'Users: /idp/v1/Iam',
  storage: 'Storage',
  data: 'Data gateway',
  localization: 'Localization',
  translation: 'Suggested translations',
  tools: 'AI tools',
  knowledge: 'Knowledge base',
  process: 'The process',
  audit: 'Audit log',
  projects: 'Projects',
  translations: 'Translations',
  jobs: 'Auto-translation jobs',
  schemas: 'Data schemas',
  identity: 'Clients and users',
  inbox: 'Inbox',
  webhook: 'Webhook',
  agents: 'Tools and agents',
  files: 'Files',
  console: 'Console',
})

/** Returns the page of the HTTP interface, from the OpenAPI document of the contract. */
export const httpPage = () =>
  pageOf(
    readJson(join(root, 'packages/contract/src/__snapshots__/openapi.json')),
    '# HTTP interface',
    'Generated from the OpenAPI document, which the local platform serves at `/openapi.json`. Every request has the project key in the header `x-service-key`. [The interface](../interface.md) explains the groups, records and rules.',
  )

/** Returns the page of the control operations, of the package as it was built. */
export async function controlPage() {
  const built = pathToFileURL(join(root, 'packages/contract/dist/control.js')).href
  const { controlDocument } = await import(built)
  return pageOf(
    // As the platform sends it.
    JSON.parse(JSON.stringify(controlDocument())),
    '# Control operations',
    'Generated from the OpenAPI document, which the local platform serves at `/_platform/openapi.json`. [Control routes](../platform/control-routes.md) explains who may call them; `@servicekit/client/control` is their typed client.',
  )
}

/** @param {Json} document @param {string} heading @param {string} introduction */
function pageOf(document, heading, introduction) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(/** @type {Json} */ (methods)).map(([method, operation]) => ({
      .../** @type {Json} */ (operation),
      method: method.toUpperCase(),
      path,
      group: /** @type {string} */ (operation.tags[0]),
    })),
  )
  const tags = [...new Set(operations.map(({ group }) => group))]
  return `${[
    heading,
    introduction,
    ...tags.flatMap((tag) => [
      `## ${groups[tag] ?? tag}`,
      ...operations.filter(({ group }) => group === tag).map(sectionOf),
    ]),
    '## Records',
    ...Object.entries(document.components.schemas).map(([name, schema]) => recordOf(name, schema)),
  ].join('\n\n')}\n`
}

/** @param {Json} operation */
function sectionOf({
  method,
  path,
  summary,
  description,
  operationId,
  parameters,
  requestBody,
  responses,
}) {
  const body = requestBody && Object.values(requestBody.content)[0]?.schema
  return [
    `### ${operationId}`,
    `\`${method} ${path}\``,
    [summary, description].filter(Boolean).map(sentence).join(' '),
    parameters?.length > 0 &&
      table(
        ['parameter', 'in', 'type', 'description'],
        parameters.map((/** @type {Json} */ { name, in: place, required, schema }) => [
          `\`${name}\`${required ? '' : ' (optional)'}`,
          place,
          typeOf(schema),
          schema.description ?? '',
        ]),
      ),
    body && `Body: ${typeOf(body)}`,
    table(
      ['status', 'response', 'meaning'],
      Object.entries(responses).map(([status, response]) => [
        status,
        typeOf(Object.values(/** @type {Json} */ (response).content ?? {})[0]?.schema),
        /** @type {Json} */ (response).description,
      ]),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** @param {string} name @param {Json} schema */
function recordOf(name, schema) {
  const required = new Set(schema.required)
  const rows = Object.entries(schema.properties ?? {}).map(([key, value]) => [
    `\`${key}\`${required.has(key) ? '' : ' (optional)'}`,
    typeOf(value),
    /** @type {Json} */ (value).description ?? '',
  ])
  return [
    `### ${name}`,
    schema.description && sentence(schema.description),
    rows.length > 0 ? table(['member', 'type', 'description'], rows) : `Type: ${typeOf(schema)}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** @param {Json | undefined} schema @returns {string} */
function typeOf(schema) {
  if (!schema) return ''
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    return `[${name}](#${name.toLowerCase()})`
  }
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.enum)
    return schema.enum.map((/** @type {unknown} */ one) => `\`${String(one)}\``).join(', ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.type === 'array') return `list of ${typeOf(schema.items) || 'any'}`
  return [schema.type].flat().filter(Boolean).join(' or ') || 'any'
}

/** @param {string} text */
const sentence = (text) => linkSections(escape(/[.!?]$/.test(text) ? text : `${text}.`))

/** Sections of the specification: `4.1` and its heading. */
const sections = new Map(
  [
    ...readFileSync(join(root, 'docs/interface.md'), 'utf8').matchAll(
      /^#+ ((\d+(?:\.\d+)*)\.? .+)$/gm,
    ),
  ].map(([, heading = '', number = '']) => [number, slugify(heading)]),
)

/** Links `Section 4.1` to the specification. @param {string} text */
const linkSections = (text) =>
  text.replaceAll(/\b([Ss]ection) (\d+(?:\.\d+)*)/g, (all, _, number) =>
    sections.has(number) ? `[${all}](../interface.md#${sections.get(number)})` : all,
  )

/** Vue reads braces and tags in text. @param {string} text */
const escape = (text) => text.replaceAll('<', '&lt;').replaceAll('{{', '{&#8203;{')

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map((text) => cell(escape(text))))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
