import { expectedArguments, type Model } from '@servicekit/catalog'
import type { SourceText } from '../usage/files.ts'
import { findStrings } from '../usage/string-mentions.ts'
import type { Usage, UsageReport } from '../usage/usage.ts'
import { type Found, positionsOf, type TextPlaces } from './catalog-findings.ts'

/** Returns the problems between the translations and the code that uses them. */
export function usageFindings(
  model: Model,
  usage: UsageReport,
  places: TextPlaces,
  sources: readonly SourceText[],
): readonly Found[] {
  return [
    ...usage.unknown.map(({ file, line, column, module, name }): Found => {
      const message =
        name === undefined
          ? `there is no module ${module}`
          : `there is no key ${name}${module === undefined ? '' : ` in ${module}`}`
      const place = {
        ...(module === undefined ? {} : { module }),
        ...(name === undefined ? {} : { key: name }),
      }
      return { rule: 'unknown', message, ...place, file, line, column }
    }),
    ...usage.dynamic.map(({ file, line, column, module }): Found => ({
      rule: 'dynamic',
      message: `any text of ${module} may be meant here, so all of it is kept`,
      module,
      file,
      line,
      column,
    })),
    ...usage.usages.flatMap((one) => callFinding(model, one)),
    ...unusedFindings(model, usage, places, sources),
  ]
}

/** Reports a call that omits arguments its message needs. */
function callFinding(model: Model, usage: Usage): readonly Found[] {
  const { args, file, line, column, module, key } = usage
  if (!args || key === undefined) return []
  const message = messageOf(model, module, key)
  if (!message) return []
  const lacks = expectedArguments(message, args).filter((name) => !args.includes(name))
  if (lacks.length === 0) return []
  const text = `is called without ${lacks.join(', ')}`
  return [{ rule: 'parameter', message: text, module, key, file, line, column }]
}

const tables = new WeakMap<
  Model,
  ReadonlyMap<string, Model['modules'][number]['messages'][number]>
>()

function messageOf(model: Model, module: string, key: string) {
  let table = tables.get(model)
  if (!table) {
    table = new Map(
      model.modules.flatMap(({ name, messages }) =>
        messages.map((message) => [`${name}\n${message.key}`, message] as const),
      ),
    )
    tables.set(model, table)
  }
  return table.get(`${module}\n${key}`)
}

function unusedFindings(
  model: Model,
  usage: UsageReport,
  places: TextPlaces,
  sources: readonly SourceText[],
): readonly Found[] {
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
  const position = positionsOf(model, places)
  return unused.map(({ module, key, strings }): Found => {
    const at = { module, key, ...position(model.catalog.defaultLanguage, module, key) }
    const mention = strings.map((one) => found.get(one)).find((one) => one !== undefined)
    return mention
      ? {
          rule: 'mentioned',
          message: `no call is seen to ask for it, but it appears as a string in ${mention.file}:${mention.line}`,
          ...at,
        }
      : { rule: 'unused', message: 'is asked for nowhere', ...at }
  })
}
