import { route } from './define.ts'

/** Storage configurations of the project. @see section 4.4 */
export const storageListConfigurations = /* @__PURE__ */ route({
  id: 'storage.listConfigurations',
  method: 'GET',
  path: '/logic/v4/Storage/Gets',
  effect: 'read',
  section: '4.4',
})

/**
 * Signed address for the bytes of a new file. The PUT to it is the second step, and no route of
 * the service.
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

/** One page of the files; pages count from 0. @see section 4.4 */
export const storageListFiles = /* @__PURE__ */ route({
  id: 'storage.listFiles',
  method: 'POST',
  path: '/data/v4/Files/GetFilesInfo',
  body: 'json',
  effect: 'read',
  section: '4.4',
})

/** Short-lived address of a file's bytes. @see section 4.4 */
export const storageGetFile = /* @__PURE__ */ route({
  id: 'storage.getFile',
  method: 'GET',
  path: '/data/v4/Files/GetFile',
  query: ['FileId', 'ConfigurationName'],
  effect: 'read',
  section: '4.4',
})
