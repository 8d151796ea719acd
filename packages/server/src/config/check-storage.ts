import { type InspectedStorage, inspectStorage, type StorageOptions } from '@servicekit/platform'
import { join } from 'node:path'
import { platformOptions } from '../platform-options.ts'
import { type ConnectionResult, failed, ok, variableOf } from './connection-result.ts'
import type { Settings } from './settings.ts'

const fixHint = '`servicekit serve --check-config --connect --fix`'

/** Checks that the storage accepts a file, and that pages may use its signed URLs. */
export async function checkStorage(
  settings: Settings,
  isFixing: boolean,
): Promise<readonly ConnectionResult[]> {
  const [options] = platformOptions(settings).storage as [StorageOptions]
  const storage = await inspectStorage(options, join(settings.dataDir ?? '.', 'files'))
  try {
    const written = await checkWriting(storage, options, isFixing)
    if (written.state === 'failed' || !storage.setUp) return [written]
    return [written, await checkOrigins(storage, settings, isFixing)]
  } finally {
    storage.close()
  }
}

async function checkWriting(
  { write, setUp }: InspectedStorage,
  options: StorageOptions,
  isFixing: boolean,
): Promise<ConnectionResult> {
  const place = placeOf(options)
  const failure = await write().then(
    () => undefined,
    (error: Error) => error,
  )
  if (!failure) return ok(`${place} accepts files.`)
  const cannotWrite = `Cannot write to ${place}: ${failure.message}`
  if (!setUp) return failed(cannotWrite)
  if (!isFixing) return failed(`${cannotWrite} If it does not exist, ${fixHint} creates it.`)
  try {
    await setUp.create()
    await write()
  } catch (error) {
    return failed(`Cannot create ${place}, or write to it: ${(error as Error).message}`)
  }
  return { state: 'fixed', message: `${place} is created, and accepts files.` }
}

async function checkOrigins(
  { refusedOrigins, setUp }: InspectedStorage,
  { publicUrl, origins }: Settings,
  isFixing: boolean,
): Promise<ConnectionResult> {
  const all = [...new Set([publicUrl!, ...origins])]
  const refused = await refusedOrigins(all)
  if (refused.length === 0) return ok(`Pages of ${all.join(', ')} may use signed URLs (CORS).`)
  const cannotUse = `Pages of ${refused.join(', ')} may not upload or read files (CORS)`
  if (!isFixing) return failed(`${cannotUse}. ${fixHint} adds a rule.`)
  try {
    await setUp!.allowOrigins(refused)
  } catch (error) {
    return failed(`${cannotUse}, and the rule cannot be added: ${(error as Error).message}`)
  }
  const remaining = await refusedOrigins(refused)
  return remaining.length === 0
    ? { state: 'fixed', message: `Pages of ${refused.join(', ')} may use signed URLs now (CORS).` }
    : failed(`${cannotUse}, although a rule was added. It may need some minutes: check again.`)
}

function placeOf(options: StorageOptions): string {
  if (options.strategy === 'Local') {
    return options.folder === undefined ? 'the folder of files' : `the folder ${options.folder}`
  }
  return options.strategy === 'Azure'
    ? `the container ${options.container} (${variableOf('storage.container')})`
    : `the bucket ${options.bucket} (${variableOf('storage.bucket')})`
}
