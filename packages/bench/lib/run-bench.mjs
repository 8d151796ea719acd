import { temporaryFolder } from './temporary-folder.mjs'

/**
 * Runs a bench: every contender once per round. The order rotates with the round, so that
 * warm-up and other load on the machine do not affect only one contender.
 *
 * @param {import('./claim.mjs').Bench} bench
 * @param {{ rounds: number, progress: (message: string) => void }} options
 * @returns {Promise<Readonly<Record<string, readonly import('./claim.mjs').Sample[]>>>} samples by contender
 */
export async function runBench(bench, options) {
  /** @type {(() => Promise<void>)[]} */
  const ends = []
  try {
    return await runRounds(bench, options, (close) => ends.push(close))
  } finally {
    for (const end of ends) await end()
  }
}

/**
 * @param {import('./claim.mjs').Bench} bench
 * @param {{ rounds: number, progress: (message: string) => void }} options
 * @param {(close: () => Promise<void>) => void} onEnd
 */
async function runRounds(bench, { rounds: wanted, progress }, onEnd) {
  const rounds = bench.rounds ?? wanted
  progress('preparing')
  const contenders = await bench.prepare({ folder: temporaryFolder, progress, onEnd })
  const names = Object.keys(contenders)
  /** @type {Record<string, import('./claim.mjs').Sample[]>} */
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      progress(`round ${round + 1} of ${rounds}: ${name}`)
      samples[name]?.push(await /** @type {any} */ (contenders[name])(round))
    }
  }
  return samples
}
