import type { MarkupFramework, MarkupOptions } from '../syntax/tags.ts'

/** Types of the children of a tag and of what its function returns. */
const nodes: Readonly<
  Record<Exclude<MarkupFramework, 'plain'>, { readonly children: string; readonly node: string }>
> = {
  react: { children: "import('react').ReactNode", node: "import('react').ReactNode" },
  vue: {
    children: "import('vue').VNodeArrayChildren",
    node: "import('vue').VNodeArrayChildren[number]",
  },
  svelte: { children: 'unknown[]', node: 'unknown' },
  solid: { children: "import('solid-js').JSX.Element", node: "import('solid-js').JSX.Element" },
}

/** Declares the type of messages with tags, for what renders their elements. */
export function markupTypes(markup: MarkupOptions | undefined): string {
  if (!markup) return ''
  const { framework } = markup
  const isPlain = framework === 'plain'
  const { children, node } = isPlain ? { children: '(string | R)[]', node: 'R' } : nodes[framework]
  const result = framework === 'react' ? node : isPlain ? children : `(string | ${node})[]`
  return `/**
 * Message with the tags \`T\`, the self-closing tags \`S\` and the arguments \`A\`. A tag is a
 * function that gets what is inside it and returns an element.
 */
export type MarkupMessage<T extends string, S extends string, A> = ${isPlain ? '<R = string>' : ''}(
  args: A & { readonly [tag in T]: (children: ${children}) => ${node} } & { readonly [tag in S]: () => ${node} },
) => ${result}

`
}
