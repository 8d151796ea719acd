/**
 * Returns the code blocks of a page. A block that cannot be checked has a comment before it:
 * `<!-- not checked: reason -->`.
 *
 * @param {string} page Markdown
 * @returns {readonly import('./code-blocks.d.mts').CodeBlock[]}
 */
export const codeBlocks = (page) =>
  [
    ...page.matchAll(
      /(?:^[ \t]*<!-- not checked: (?<reason>.+?) -->\n+)?^(?<indent> *)```(?<language>\w*)[^\n]*\n(?<text>[\s\S]*?)^\k<indent>```$/gm,
    ),
  ].map((match) => {
    const { reason, indent = '', language = '', text = '' } = match.groups ?? {}
    return {
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: page.slice(0, match.index).split('\n').length,
      unchecked: reason,
    }
  })
