import { rounded } from './claim.mjs'

/** @typedef {ReturnType<typeof import('./claim.mjs').judge>} Judged */

/**
 * A claim as lines for people: what was measured, with the ends of all rounds.
 *
 * ```text
 * ✓ compile: 0.31 s (0.29 to 0.35), paraglide 6.7 s (6.1 to 7.2), ratio 0.046; goal ratio <= 0.1
 * ```
 *
 * @param {Judged} judged
 */
export function printVerdict({ verdict, ours, peer }) {
  const { unit } = verdict
  const ratio = verdict.ratio === null ? '' : `, ratio ${verdict.ratio}`
  return (
    `${verdict.ok ? '✓' : '✗'} ${verdict.claim}: ${spread(ours, unit)}, ` +
    `${verdict.peerName} ${spread(peer, unit)}${ratio}; goal ${verdict.goal}`
  )
}

/** `0.31 s (0.29 to 0.35)`. @param {import('./statistics.mjs').Summary} summary @param {string} unit */
export function spread({ median, min, max }, unit) {
  const ends = min === max ? '' : ` (${rounded(min)} to ${rounded(max)})`
  return `${rounded(median)} ${unit}${ends}`
}

/**
 * Says on a terminal what is going on, on one line that is written over.
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
