import { PlatformError } from '../errors.ts'

/**
 * Loads the library of a storage service, which is installed only by users of that service.
 *
 * @throws PlatformError `STORAGE_UNAVAILABLE` when it is not installed.
 */
export async function loadSdk<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new PlatformError('STORAGE_UNAVAILABLE', `The library ${name} is not installed.`, {
      cause,
      help: `Run npm install ${name}, or configure another storage.`,
    })
  }
}
