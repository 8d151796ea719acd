import { summarise } from './statistics.mjs'

/**
 * One measurement of one contender: numbers by name, such as `{seconds: 0.4, peakMb: 120}`.
 *
 * @typedef {Readonly<Record<string, number>>} Sample
 */

/**
 * Work that contenders do side by side, and the claims about it. Each file in `claims/`
 * exports one as `bench`.
 *
 * @typedef {object} Bench
 * @property {string} title description of the work
 * @property {readonly Claim[]} claims
 * @property {number} [rounds] fixed if a measurement cannot vary, as for bytes: 1
 * @property {(context: Context) => Promise<Contenders>} prepare creates the input and returns the contenders; called once
 *
 * @typedef {object} Context
 * @property {() => string} folder returns a new temporary folder
 * @property {(message: string) => void} progress reports the current step
 * @property {(close: () => Promise<void>) => void} onEnd registers cleanup after the last round
 *
 * @typedef {Readonly<Record<string, (round: number) => Promise<Sample>>>} Contenders
 */

/**
 * Claim about the work: one of our figures, the peer's, and the goal. A time depends on the
 * machine, so its goal is a ratio to the peer's time in the same run; bytes, counts,
 * instantiations and memory may have an absolute goal.
 *
 * @typedef {object} Claim
 * @property {string} claim name in reports, as `compile-memory`
 * @property {string} figure name of the number in the samples
 * @property {string} unit
 * @property {string} ours contender
 * @property {string} peer contender
 * @property {string} peerName with version if it has one
 * @property {Goal} goal
 *
 * @typedef {object} Goal condition for the claim to hold; all parts must hold
 * @property {number} [max] maximum of our figure
 * @property {number} [maxRatio] maximum of our figure divided by the peer's
 * @property {number} [minRatio]
 */

/**
 * One line of `--json`.
 *
 * @typedef {object} ClaimResult
 * @property {string} claim
 * @property {number} ours median
 * @property {number} peer median
 * @property {string} peerName
 * @property {number | null} ratio ours / peer; null if the peer's is 0
 * @property {string} goal
 * @property {string} unit
 * @property {boolean} ok
 */

const timeUnit = /^(?:s|ms|µs)$|\/(?:CPU )?s$/

/**
 * Compares the medians of a claim with its goal.
 *
 * @param {Claim} claim
 * @param {Readonly<Record<string, readonly Sample[]>>} samples by contender
 * @throws {TypeError} if a time has an absolute goal
 * @returns {{ result: ClaimResult, ours: import('./statistics.mjs').Summary, peer: import('./statistics.mjs').Summary }}
 */
export function evaluateClaim(claim, samples) {
  if (claim.goal.max !== undefined && timeUnit.test(claim.unit)) {
    throw new TypeError(
      `${claim.claim} limits a time to ${claim.goal.max} ${claim.unit}. Set maxRatio or minRatio instead, because a time depends on the machine`,
    )
  }
  /** @param {string} contender */
  const summary = (contender) =>
    summarise(
      (samples[contender] ?? []).map((sample) => {
        const value = sample[claim.figure]
        if (value === undefined) throw new TypeError(`${contender} did not measure ${claim.figure}`)
        return value
      }),
    )
  const ours = summary(claim.ours)
  const peer = summary(claim.peer)
  const ratio = peer.median === 0 ? null : ours.median / peer.median
  const { max, maxRatio, minRatio } = claim.goal
  const ok =
    (max === undefined || ours.median <= max) &&
    // If both are zero, the goal holds.
    (maxRatio === undefined || (ratio === null ? ours.median === 0 : ratio <= maxRatio)) &&
    (minRatio === undefined || (ratio !== null && ratio >= minRatio))
  const result = {
    claim: claim.claim,
    ours: rounded(ours.median),
    peer: rounded(peer.median),
    peerName: claim.peerName,
    ratio: ratio === null ? null : rounded(ratio),
    goal: describeGoal(claim),
    unit: claim.unit,
    ok,
  }
  return { result, ours, peer }
}

/** Returns a goal as `<= 0.5 s, ratio <= 1`. @param {Claim} claim */
function describeGoal({ goal, unit }) {
  return [
    goal.max === undefined ? [] : `<= ${goal.max} ${unit}`,
    goal.maxRatio === undefined ? [] : `ratio <= ${goal.maxRatio}`,
    goal.minRatio === undefined ? [] : `ratio >= ${goal.minRatio}`,
  ]
    .flat()
    .join(', ')
}

/** Rounds to four significant digits; integers stay unchanged. @param {number} value */
export const rounded = (value) =>
  Number.isInteger(value) ? value : Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4))
