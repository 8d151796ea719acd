import { setImmediate } from 'node:timers/promises'

/**
 * Yields the steps of `run` until the command is stopped. It stops only between steps, so
 * that a step never leaves a partial file.
 *
 * @throws the reason of the signal
 */
export async function* untilStopped<Step, Report>(
  run: AsyncGenerator<Step, Report>,
  signal: AbortSignal,
): AsyncGenerator<Step, Report> {
  for (;;) {
    await passSignals(signal)
    const step = await run.next()
    if (step.done) return step.value
    yield step.value
  }
}

/**
 * Lets pending signal events run, after work that never yielded to the event loop.
 *
 * @throws the reason of the signal
 */
export async function passSignals(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}
