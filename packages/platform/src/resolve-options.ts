import { findClosest, redactText } from '@servicekit/core'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { z } from 'zod'
import { PlatformError } from './errors.ts'
import { Options, type PlatformOptions, type ResolvedOptions } from './options.ts'
import type { Clock } from './clock.ts'
import { idGenerator } from './ids.ts'

/** Pairs of options that cannot be used together, with the reason. */
const conflicts = [
  ['dataDir', 'databaseUrl', 'data is stored in one place'],
  ['openProjects', 'publicUrl', 'anyone could change everything'],
  ['seed', 'dataDir', 'the ids would repeat on kept data'],
] as const

/** Validates options and applies defaults. @throws PlatformError `OPTION_INVALID` */
export function resolveOptions(options: PlatformOptions = {}): ResolvedOptions {
  const { data, error } = Options.safeParse(options)
  if (error) throw invalid(messageOf(error.issues[0]!))
  for (const [one, other, reason] of conflicts) {
    const isGiven = [one, other].every(
      (name) => options[name] !== undefined && options[name] !== false,
    )
    if (isGiven) throw invalid(`Cannot use ${one} together with ${other}: ${reason}.`)
  }
  const { clock, seed } = data
  if (data.replicaUrl && !data.databaseUrl) throw invalid('replicaUrl requires databaseUrl.')
  return {
    ...data,
    now: clock.now,
    newId: idGenerator(seed?.toString()),
    newRequestId: idGenerator(seed === undefined ? undefined : `${seed} requests`),
    onError: errorHandler(options, clock),
  }
}

const invalid = (summary: string): PlatformError => new PlatformError('OPTION_INVALID', summary)

/** Returns the error handler: `onError` if given, otherwise the log, otherwise the console. */
function errorHandler(
  { onError, onLog }: PlatformOptions,
  clock: Clock,
): ResolvedOptions['onError'] {
  const report = onError ?? (onLog ? () => {} : (error: Error) => console.error(error.message))
  return (reported) => {
    // Drizzle's message contains the parameters, which must not be logged, and hides the cause.
    const error = (reported instanceof DrizzleQueryError && reported.cause) || reported
    const message = redactText(error.message)
    onLog?.({ event: 'error', level: 'error', at: clock.now().toISOString(), message })
    report(error)
  }
}

function messageOf(issue: z.core.$ZodIssue): string {
  const path = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1)
  if (issue.code !== 'unrecognized_keys') return `${path}: ${issue.message}`
  const nested =
    path === 'gateway' || path === 'webhooks' ? Options.shape[path].unwrap() : undefined
  const { shape = {} } = path === '' ? Options : (nested ?? {})
  const prefix = path === '' ? '' : `${path}.`
  const [name = ''] = issue.keys
  const closest = findClosest(name, Object.keys(shape))
  const advice = closest === undefined ? '' : ` Did you mean "${prefix}${closest}"?`
  return `Unknown option "${prefix}${name}".${advice}`
}
