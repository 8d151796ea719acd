/**
 * Returns the code blocks of a page. A block that cannot be checked has a comment before it:
 * `<!-- not checked: reason -->`. Copies of files are not among them: `fill-pages.mjs`.
 *
 * @param {string} page Markdown
 * @returns {readonly import('./code-blocks.d.mts').CodeBlock[]}
 */
export const codeBlocks = (page) =>
  [
    ...page.matchAll(
      /(?:^[ \t]*<!-- (?:not checked: (?<reason>.+?)|source: (?<source>\S+)) -->\n+)?^(?<indent> *)```(?<language>\w*)[^\n]*\n(?<text>[\s\S]*?)^\k<indent>```$/gm,
    ),
  ].flatMap((match) => {
    const { reason, source, indent = '', language = '', text = '' } = match.groups ?? {}
    if (source !== undefined) return []
    return {
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: page.slice(0, match.index).split('\n').length,
      unchecked: reason,
    }
  })
