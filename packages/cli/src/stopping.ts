import { setImmediate } from 'node:timers/promises'

/**
 * The steps of `run`, until the command is told to stop: then it ends before the
 * next step, so that whatever a step writes is whole.
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
 * Lets a signal that came during work that never waited be heard.
 *
 * @throws the reason of the signal
 */
export async function passSignals(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}
