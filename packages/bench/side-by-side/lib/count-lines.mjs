import ts from 'typescript'

/**
 * Counts the lines of a source file, without blank lines, comment lines and imports.
 *
 * @param {string} text
 */
export function countLines(text) {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest)
  return source.statements
    .filter((statement) => !ts.isImportDeclaration(statement))
    .flatMap((statement) => text.slice(statement.getStart(source), statement.end).split('\n'))
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}
