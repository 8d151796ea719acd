import type { Route } from '../route.ts'

/** Lists the storage configurations of the project. @see section 4.4 */
export const storageListConfigurations = {
  id: 'storage.listConfigurations',
  method: 'GET',
  path: '/logic/v4/Storage/Gets',
  effect: 'read',
} as const satisfies Route

/**
 * Returns a signed address for uploading a new file. The second step is a PUT to that
 * address, which is not a route of the service.
 * @see section 4.4
 */
export const storagePresignUpload = {
  id: 'storage.presignUpload',
  method: 'POST',
  path: '/data/v4/Files/GetPreSignedUrlForUpload',
  body: 'json',
  effect: 'create',
} as const satisfies Route

/** Returns one page of the files; the first page is 0. @see section 4.4 */
export const storageListFiles = {
  id: 'storage.listFiles',
  method: 'POST',
  path: '/data/v4/Files/GetFilesInfo',
  body: 'json',
  effect: 'read',
} as const satisfies Route

/** Returns a short-lived download address of a file. @see section 4.4 */
export const storageGetFile = {
  id: 'storage.getFile',
  method: 'GET',
  path: '/data/v4/Files/GetFile',
  query: ['FileId', 'ConfigurationName'],
  effect: 'read',
} as const satisfies Route
