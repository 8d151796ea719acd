import type { Backend } from './backend.ts'
import type { LocalBackendOptions } from './local-backend.ts'
import { withStorageErrors } from './storage-error.ts'
import type { StorageOptions } from './storage-options.ts'

/**
 * Opens the backend of a storage configuration, with its library.
 *
 * @param localOptions returns the parts of a backend on a folder.
 */
export async function openBackend(
  one: StorageOptions,
  localOptions: (folder: string | undefined) => LocalBackendOptions | Promise<LocalBackendOptions>,
): Promise<Backend> {
  if (one.strategy === 'Azure') {
    return withStorageErrors(one.name, (await import('./azure-backend.ts')).azureBackend(one))
  }
  if (one.strategy !== 'Local') {
    return withStorageErrors(one.name, (await import('./s3-backend.ts')).s3Backend(one))
  }
  const { localBackend } = await import('./local-backend.ts')
  return localBackend(await localOptions(one.folder))
}
