/** File uploads and downloads (section 4.4). */
export {
  listConfigurations,
  listFiles,
  type StorageConfiguration,
  type StoredFile,
} from './stored-files.ts'
export { upload, type Uploaded, type UploadOptions } from './upload.ts'
export { download, type FileReference, getDownloadUrl } from './download.ts'
export type { BlobBody, BlobTransport, GetRequest, PutRequest } from './blobs.ts'
export type { Download } from './signed-download.ts'
export type { UploadProgress, UploadState } from './signed-upload.ts'
export type { ReopenableSource, UploadSource } from './upload-source.ts'
