import { route } from './define.ts'

/** Lists the storage configurations of the project. @see section 4.4 */
export const storageListConfigurations = /* @__PURE__ */ route({
  id: 'storage.listConfigurations',
  method: 'GET',
  path: '/logic/v4/Storage/Gets',
  effect: 'read',
  section: '4.4',
})

/**
 * Returns a signed address for uploading a new file. The second step is a PUT to that
 * address, which is not a route of the service.
 * @see section 4.4
 */
export const storagePresignUpload = /* @__PURE__ */ route({
  id: 'storage.presignUpload',
  method: 'POST',
  path: '/data/v4/Files/GetPreSignedUrlForUpload',
  body: 'json',
  effect: 'create',
  section: '4.4',
})

/** Returns one page of the files; the first page is 0. @see section 4.4 */
export const storageListFiles = /* @__PURE__ */ route({
  id: 'storage.listFiles',
  method: 'POST',
  path: '/data/v4/Files/GetFilesInfo',
  body: 'json',
  effect: 'read',
  section: '4.4',
})

/** Returns a short-lived download address of a file. @see section 4.4 */
export const storageGetFile = /* @__PURE__ */ route({
  id: 'storage.getFile',
  method: 'GET',
  path: '/data/v4/Files/GetFile',
  query: ['FileId', 'ConfigurationName'],
  effect: 'read',
  section: '4.4',
})
