/** @param {number} value */
export const bytes = (value) =>
  value < 1000
    ? `${value} B`
    : value < 1e6
      ? `${(value / 1000).toFixed(1)} kB`
      : `${(value / 1e6).toFixed(1)} MB`

/** @param {number} value @param {string} noun */
export const counted = (value, noun) =>
  `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`

/**
 * Runs a step and prints its result and duration on one line.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} run
 * @param {(result: T) => string} describe
 * @returns {Promise<T>}
 */
export async function step(name, run, describe) {
  const start = performance.now()
  const result = await run()
  const ms = Math.round(performance.now() - start).toLocaleString('en-US')
  console.log(`${name.padEnd(9)} ${`${ms} ms`.padStart(10)}   ${describe(result)}`)
  return result
}

/**
 * Pads columns to their widest cell; the first is left-aligned, the others right-aligned.
 *
 * @param {readonly (readonly string[])[]} rows
 */
export function table(rows) {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths?.[column] ?? 0
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('   '),
    )
    .join('\n')
}
