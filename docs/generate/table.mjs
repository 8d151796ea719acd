/** Escapes text for the cell of a Markdown table. @param {string} text */
export const cell = (text) => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')
