/**
 * Change of the code that no test noticed.
 *
 * @typedef {object} Survivor
 * @property {string} file relative to the package
 * @property {string} line trimmed source line in which the change begins
 * @property {string} from changed code
 * @property {string} to code that replaced it
 *
 * @typedef {Survivor & { readonly why: string }} ExplainedSurvivor
 * @typedef {Readonly<Record<string, readonly ExplainedSurvivor[]>>} ExplainedSurvivors by target
 *
 * @typedef {{ readonly line: number, readonly column: number }} Position from 1
 * @typedef {object} Mutant of Stryker's report
 * @property {string} status
 * @property {string} [replacement]
 * @property {{ readonly start: Position, readonly end: Position }} location
 */

const states = new Set(['Survived', 'NoCoverage'])

/**
 * Returns the survivors of a report, in the order of the code.
 *
 * @param {Readonly<Record<string, { readonly source: string, readonly mutants: readonly Mutant[] }>>} files
 * @returns {readonly Survivor[]}
 */
export function survivorsOf(files) {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n')
    const offsetOf = (/** @type {Position} */ { line, column }) =>
      lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, column - 1)
    return mutants
      .filter(({ status }) => states.has(status))
      .sort((a, b) => offsetOf(a.location.start) - offsetOf(b.location.start))
      .map(({ location: { start, end }, replacement = '' }) => ({
        file,
        line: (lines[start.line - 1] ?? '').trim(),
        from: source.slice(offsetOf(start), offsetOf(end)),
        to: replacement,
      }))
  })
}

/**
 * Returns the survivors without an explanation, and the explanations without a survivor.
 *
 * @param {readonly Survivor[]} survivors
 * @param {readonly ExplainedSurvivor[]} explained
 */
export function compareSurvivors(survivors, explained) {
  const idOf = (/** @type {Survivor} */ { file, line, from, to }) =>
    JSON.stringify([file, line, from, to])
  const known = new Set(explained.map(idOf))
  const found = new Set(survivors.map(idOf))
  return {
    unexplained: survivors.filter((one) => !known.has(idOf(one))),
    stale: explained.filter((one) => !found.has(idOf(one))),
  }
}
