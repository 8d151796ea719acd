import type { MessageModel, Model } from '@servicekit/catalog/inspection'
import { compileBundle } from 'paraglide/compile-bundle.js'
import { minify } from 'terser'

/**
 * Compiles messages with the compiler of Paraglide and minifies them: what a page downloads
 * of them there, in all languages.
 *
 * @returns undefined if a message has a form that this function does not translate for it.
 */
export async function compileWithParaglide(
  messages: readonly MessageModel[],
  { catalog }: Model,
): Promise<string | undefined> {
  const locales = catalog.languages.map(({ code }) => code)
  const bundles = messages.map((message) => bundleOf(message, locales))
  const code: string[] = []
  for (const bundle of bundles) {
    if (bundle === undefined) return undefined
    const compiled = compileBundle({
      bundle,
      fallbackMap: Object.fromEntries(bundle.messages.map(({ locale }) => [locale, undefined])),
      messageReferenceExpression: (locale, id) => functionName(id, locale),
      settings: { locales, baseLocale: catalog.defaultLanguage },
    })
    for (const [locale, { code: text }] of Object.entries(compiled.messages)) {
      code.push(`const ${functionName(bundle.id, locale)} = ${text}`)
    }
    code.push(compiled.bundle.code)
  }
  const { code: minified = '' } = await minify(code.join('\n'), { module: true })
  return minified
}

const functionName = (id: string, locale: string): string => `${id}_${locale.replaceAll('-', '_')}`

/** Returns a message in the form of Paraglide's compiler. */
function bundleOf(message: MessageModel, locales: readonly string[]) {
  const { name: id, params, plural, base, tags } = message
  if (base || tags.size > 0) return undefined
  const inputs = [...(plural ? ['count'] : []), ...params]
  const messages = []
  for (const locale of locales) {
    const translation = message.translations.get(locale)
    if (!translation) continue
    const forms = [...translation.forms, ['other', translation.other] as const]
    const variants = forms.map(([category, parts]) => ({
      id: category,
      messageId: id,
      matches: plural
        ? [
            category === 'other'
              ? { type: 'catchall-match', key: 'category' }
              : { type: 'literal-match', key: 'category', value: category },
          ]
        : [],
      pattern: partsOf(parts),
    }))
    if (variants.some(({ pattern }) => pattern === undefined)) return undefined
    const selectors = plural ? [{ type: 'variable-reference', name: 'category' }] : []
    messages.push({ id: locale, bundleId: id, locale, selectors, variants })
  }
  const declarations: unknown[] = inputs.map((name) => ({ type: 'input-variable', name }))
  if (plural) {
    declarations.push({
      type: 'local-variable',
      name: 'category',
      value: {
        type: 'expression',
        arg: { type: 'variable-reference', name: 'count' },
        annotation: { type: 'function-reference', name: 'plural', options: [] },
      },
    })
  }
  return { id, declarations, messages }
}

/** Returns undefined for formatted values and choices inside of a message. */
function partsOf(parts: readonly (string | object)[]) {
  const isSimple = parts.every(
    (part) =>
      typeof part === 'string' || ('param' in part && !('cases' in part) && !('format' in part)),
  )
  if (!isSimple) return undefined
  return parts.map((part) =>
    typeof part === 'string'
      ? { type: 'text', value: part }
      : {
          type: 'expression',
          arg: { type: 'variable-reference', name: (part as { param: string }).param },
        },
  )
}
