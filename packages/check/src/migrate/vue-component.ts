import { type Component, namesIn, type Range, type TranslationElement } from './component.ts'
import { type Block, rangeOf, type TemplateNode } from './vue-nodes.ts'
import { readTranslationElement } from './translation-element.ts'

/** Used part of `vue/compiler-sfc`. */
interface VueCompiler {
  readonly parse: (text: string) => {
    readonly errors: readonly Error[]
    readonly descriptor: {
      readonly script: Block | null
      readonly scriptSetup: Block | null
      readonly customBlocks: readonly { readonly type: string }[]
      readonly template: { readonly ast?: TemplateNode } | null
    }
  }
}
/** @throws Error for a component that Vue cannot parse. */
export function readVue({ parse }: VueCompiler, text: string): Component {
  const { errors, descriptor } = parse(text)
  if (errors[0]) throw errors[0]
  const { script, scriptSetup, template, customBlocks } = descriptor
  const expressions: Range[] = []
  const names = new Set<string>()
  const translationElements: TranslationElement[] = []
  const visit = (node: TemplateNode): void => {
    if (node.tag !== undefined) names.add(node.tag)
    if (/^(?:i18n-t|I18nT|Translation)$/.test(node.tag ?? '')) {
      translationElements.push(readTranslationElement(text, node))
    }
    if (typeof node.content === 'object') expressions.push(rangeOf(node.content))
    for (const { name, exp, forParseResult } of node.props ?? []) {
      if (!exp) continue
      if (name === 'slot') for (const one of namesIn(exp.content)) names.add(one)
      else if (forParseResult) {
        const { source, ...declared } = forParseResult
        if (source) expressions.push(rangeOf(source))
        for (const one of Object.values(declared)) {
          if (typeof one === 'object') for (const each of namesIn(one.content)) names.add(each)
        }
      } else expressions.push(rangeOf(exp))
    }
    for (const child of node.children ?? []) visit(child)
  }
  if (template?.ast) visit(template.ast)
  const scripts = [script, scriptSetup].flatMap((one) => (one ? [rangeOf(one)] : []))
  return {
    scripts,
    importTarget: scriptSetup ? rangeOf(scriptSetup) : scripts[0],
    // Names declared in a plain script are not visible in the template.
    showsImports: scriptSetup !== null,
    translationElements,
    hasOwnMessages: customBlocks.some(({ type }) => type === 'i18n'),
    isInTemplate: (range) =>
      expressions.some(({ start, end }) => start <= range.start && range.end <= end),
    names,
  }
}
