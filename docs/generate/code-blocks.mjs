/**
 * @typedef {object} CodeBlock
 * @property {string} language as written after the fence
 * @property {string} text
 * @property {number} line
 * @property {string | undefined} unchecked reason for which no test runs or compiles it
 */

/**
 * Returns the code blocks of a page. A block that cannot be checked has a comment before it:
 * `<!-- not checked: reason -->`.
 *
 * @param {string} page Markdown
 * @returns {CodeBlock[]}
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
