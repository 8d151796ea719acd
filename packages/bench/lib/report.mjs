import { rounded } from './claim.mjs'

/** @typedef {ReturnType<typeof import('./claim.mjs').evaluateClaim>} Evaluation */

/**
 * Formats a claim as a line: the medians with their ranges, the ratio and the goal.
 *
 * ```text
 * ✓ compile: 0.31 s (0.29 to 0.35), paraglide 6.7 s (6.1 to 7.2), ratio 0.046; goal ratio <= 0.1
 * ```
 *
 * @param {Evaluation} evaluation
 */
export function formatResult({ result, ours, peer }) {
  const { unit } = result
  const ratio = result.ratio === null ? '' : `, ratio ${result.ratio}`
  return (
    `${result.ok ? '✓' : '✗'} ${result.claim}: ${formatRange(ours, unit)}, ` +
    `${result.peerName} ${formatRange(peer, unit)}${ratio}; goal ${result.goal}`
  )
}

/**
 * Formats as `0.31 s (0.29 to 0.35)`.
 *
 * @param {import('./statistics.mjs').Summary} summary
 * @param {string} unit
 */
export function formatRange({ median, min, max }, unit) {
  const ends = min === max ? '' : ` (${rounded(min)} to ${rounded(max)})`
  return `${rounded(median)} ${unit}${ends}`
}

/**
 * Shows the current step on a terminal, on one line that is overwritten.
 *
 * @param {NodeJS.WriteStream} stream
 * @returns {{ show: (message: string) => void, clear: () => void }}
 */
export function createProgress(stream) {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined }
  const clear = () => void stream.write('\r\x1b[K')
  return {
    show: (message) => void stream.write(`\r\x1b[K${message.slice(0, stream.columns - 1)}`),
    clear,
  }
}
