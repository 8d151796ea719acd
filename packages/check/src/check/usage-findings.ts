import { expectedArguments, type MessageModel, type Model } from '@servicekit/catalog'
import { formatCount } from '@servicekit/core'
import type { Sources } from '../usage/read-sources.ts'
import { findStrings } from '../usage/find-strings.ts'
import type { Usage, UsageReport } from '../usage/usage.ts'
import { type UnratedFinding, positionsOf, type SnapshotFolder } from './catalog-findings.ts'

/** Returns the problems between the translations and the code that uses them. */
export function usageFindings(
  model: Model,
  usage: UsageReport,
  folder: SnapshotFolder,
  sources: Sources,
): readonly UnratedFinding[] {
  const messages = indexMessages(model)
  return [
    ...usage.unknown.map(({ file, line, column, module, name }): UnratedFinding => {
      const message =
        name === undefined
          ? `module ${module} does not exist`
          : `key ${name} does not exist${module === undefined ? '' : ` in ${module}`}`
      const location = {
        ...(module === undefined ? {} : { module }),
        ...(name === undefined ? {} : { key: name }),
      }
      return { rule: 'unknown', message, ...location, file, line, column }
    }),
    ...dynamicFindings(usage),
    ...usage.unread.map(({ reason, ...at }): UnratedFinding => ({
      rule: 'unread',
      message: `cannot be read completely: ${reason}; keys that it uses may be reported as unused`,
      ...at,
    })),
    ...usage.usages.flatMap((one) => callFinding(messages, one)),
    ...unusedFindings(model, usage, folder, sources),
  ]
}

/** Reports each place that may use any message of one or more modules. */
function dynamicFindings({ dynamic }: UsageReport): readonly UnratedFinding[] {
  const places = new Map<string, { readonly at: Position; readonly modules: Set<string> }>()
  for (const { file, line, column, module } of dynamic) {
    const id = `${file}:${line}:${column}`
    const place = places.get(id) ?? { at: { file, line, column }, modules: new Set() }
    place.modules.add(module)
    places.set(id, place)
  }
  return [...places.values()].map(({ at, modules }): UnratedFinding => {
    const [module, ...others] = modules
    const names = others.length === 0 ? module : formatCount(modules.size, 'module')
    return {
      rule: 'dynamic',
      message: `may use any message of ${names}, so that none is reported as unused`,
      ...(others.length === 0 ? { module: module! } : {}),
      ...at,
    }
  })
}

type Position = Pick<Usage, 'file' | 'line' | 'column'>

/** Reports a call that omits arguments its message needs. */
function callFinding(messages: Messages, usage: Usage): readonly UnratedFinding[] {
  const { args, file, line, column, module, key } = usage
  const message = messages.get(`${module}\n${key}`)
  if (!args || key === undefined || !message) return []
  const missing = expectedArguments(message, args).filter((name) => !args.includes(name))
  if (missing.length === 0) return []
  const text = `is called without ${missing.join(', ')}`
  return [{ rule: 'parameter', message: text, module, key, file, line, column }]
}

type Messages = ReadonlyMap<string, MessageModel>

/** Indexes the messages of a model by module and key. */
const indexMessages = (model: Model): Messages =>
  new Map(
    model.modules.flatMap(({ name, messages }) =>
      messages.map((message) => [`${name}\n${message.key}`, message] as const),
    ),
  )

function unusedFindings(
  model: Model,
  usage: UsageReport,
  folder: SnapshotFolder,
  sources: Sources,
): readonly UnratedFinding[] {
  const used = new Set(usage.usages.map(({ module, key }) => `${module}\n${key}`))
  const whole = new Set(usage.dynamic.map(({ module }) => module))
  const unused = model.modules.flatMap(({ name: module, messages }) =>
    whole.has(module)
      ? []
      : messages
          .filter(({ key }) => !used.has(`${module}\n${key}`))
          .map(({ key, group }) => ({
            module,
            key,
            strings: [key, ...(group.plural?.values() ?? [])].flatMap((one) => [
              one,
              `${module}:${one}`,
            ]),
          })),
  )
  const found = findStrings(sources, new Set(unused.flatMap(({ strings }) => strings)))
  const position = positionsOf(model, folder)
  return unused.map(({ module, key, strings }): UnratedFinding => {
    const at = { module, key, ...position(model.catalog.defaultLanguage, module, key) }
    const mention = strings.map((one) => found.get(one)).find((one) => one !== undefined)
    return mention
      ? {
          rule: 'mentioned',
          message: `has no known usage, but appears as a string in ${mention.file}:${mention.line}`,
          ...at,
        }
      : { rule: 'unused', message: 'is not used', ...at }
  })
}
