/**
 * @typedef {object} Summary
 * @property {number} median
 * @property {number} min
 * @property {number} max
 */

/**
 * Returns the median, minimum and maximum of measurements.
 *
 * @param {readonly number[]} values
 * @returns {Summary}
 */
export function summarise(values) {
  if (values.length === 0) throw new RangeError('Cannot summarise an empty list')
  const sorted = [...values].sort((a, b) => a - b)
  const at = (/** @type {number} */ index) => /** @type {number} */ (sorted[index])
  const middle = (sorted.length - 1) / 2
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  }
}
