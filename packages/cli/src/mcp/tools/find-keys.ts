import type { MessageModel, ModuleModel } from '@servicekit/catalog'
import type { Usage } from '@servicekit/check'
import { z } from 'zod'
import { rejectUnknown } from '../reject-unknown.ts'
import { defineTool } from '../tool.ts'
import {
  describeMessage,
  keysOfMessage,
  languagesOf,
  limitOf,
  messageShape,
} from './message-shape.ts'

/** Uses of a key beyond this number are only counted. */
const maxUsages = 20

/** Finds keys by text, name or use. */
export const findKeys = defineTool({
  name: 'find_keys',
  title: 'Find keys and their uses',
  description:
    'Finds keys by a part of their name or of their text in any language, by module, or by the file that uses them, and lists where code uses each. Use it before you add a key or change a text.',
  input: z.strictObject({
    search: z.string().min(1).optional().describe('Part of a key or of a text, in any case'),
    module: z.string().optional(),
    file: z.string().optional().describe('Source file relative to the root, e.g. src/cart.tsx'),
    unused: z.boolean().default(false).describe('Only keys that no code uses'),
    missing: z.string().optional().describe('Only keys without translation in this language'),
    limit: limitOf(20, 200),
  }),
  output: z.object({
    total: z.int().describe('Number of keys found, also of those beyond the limit'),
    keys: z.array(
      z.object({
        ...messageShape,
        text: z.string().describe('Source text, of a plural that of its form other'),
        missing: z.array(z.string()).describe('Languages without translation'),
        usageCount: z.int(),
        usages: z.array(z.object({ file: z.string(), line: z.int(), column: z.int() })),
      }),
    ),
    dynamicModules: z
      .array(z.string())
      .describe('Modules of which code may use any key, so that no key is certain to be unused'),
  }),
  async run({ search, module, file, unused, missing, limit }, context) {
    const model = await context.loadModel()
    rejectUnknown(
      'module',
      module,
      model.modules.map(({ name }) => name),
    )
    rejectUnknown('language', missing, languagesOf(model))
    const usage = context.readUsage(model)
    const usages = groupUsages(usage.usages)
    const dynamicModules = [...new Set(usage.dynamic.map((one) => one.module))]
    const wanted = search?.toLowerCase()
    const path = file?.replaceAll('\\', '/').replace(/^\.\//, '')
    const { defaultLanguage } = model.catalog
    const found = model.modules
      .filter(({ name }) => module === undefined || name === module)
      .flatMap((one) => one.messages.map((message) => ({ one, message })))
      .map(({ one, message }) => ({
        one,
        message,
        uses: usages.get(idOf(one.name, message.key)) ?? [],
      }))
      .filter(
        ({ one, message, uses }) =>
          (wanted === undefined || matches(one, message, wanted)) &&
          (path === undefined || uses.some((use) => use.file === path)) &&
          (!unused || (uses.length === 0 && !dynamicModules.includes(one.name))) &&
          (missing === undefined || !message.translations.get(missing)),
      )
    return {
      total: found.length,
      keys: found.slice(0, limit).map(({ one, message, uses }) => ({
        ...describeMessage(one.name, message),
        text: sourceOf(one, message, defaultLanguage),
        missing: languagesOf(model).filter((code) => !message.translations.get(code)),
        usageCount: uses.length,
        usages: uses
          .slice(0, maxUsages)
          .map(({ file: at, line, column }) => ({ file: at, line, column })),
      })),
      dynamicModules,
    }
  },
})

const idOf = (module: string, key: string): string => JSON.stringify([module, key])

function groupUsages(usages: readonly Usage[]): ReadonlyMap<string, readonly Usage[]> {
  const groups = new Map<string, Usage[]>()
  for (const usage of usages) {
    const id = idOf(usage.module, usage.key ?? '')
    const group = groups.get(id)
    if (group) group.push(usage)
    else groups.set(id, [usage])
  }
  return groups
}

function matches({ source }: ModuleModel, message: MessageModel, wanted: string): boolean {
  if (message.key.toLowerCase().includes(wanted)) return true
  const keys = keysOfMessage(message)
  return [...source.translations.values()].some((texts) =>
    keys.some((key) => texts.get(key)?.toLowerCase().includes(wanted)),
  )
}

function sourceOf({ source }: ModuleModel, message: MessageModel, language: string): string {
  const texts = source.translations.get(language)
  return texts?.get(message.group.plural?.get('other') ?? message.key) ?? ''
}
