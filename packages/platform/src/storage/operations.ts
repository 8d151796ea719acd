import { storage as wire } from '@servicekit/contract'
import { RejectedRequest } from '../http/rejected-request.ts'
import { json, noStore, rejection } from '../http/responses.ts'
import { type Call, implementStorable } from '../http/mount.ts'
import { ownAddress } from '../http/address.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { type FileRow, findFile, isPublic, listFiles, objectOf } from './files.ts'
import { newFile, systemNameOf } from './new-file.ts'
import { addUploadJob, multipartSeconds, settleFile } from './settle-uploads.ts'
import { objectPath, signPath } from '@servicekit/core/node'
import { storedFiles } from '../database/tables.ts'

/** The operations of section 4.4. */
export const storageOperations = [
  implementStorable(wire.listConfigurations, async ({ services }) =>
    json(
      services.storage.configurations.map(({ name, strategy }) => {
        return { itemId: name, name, storageStrategy: strategy }
      }),
    ),
  ),
  implementStorable(wire.presignUpload, presign),
  implementStorable(wire.listFiles, async (call) => {
    const { services, project, body, request, snapshot } = call
    const { rows, totalCount } = await snapshot((tables) =>
      listFiles(tables, body.filter ?? {}, { ...body, first: 0 }),
    )
    const { origin } = ownAddress(services.options, request)
    return json({ data: rows.map((row) => toFile(row, project, origin)), errors: null, totalCount })
  }),
  implementStorable(wire.getFile, getFile),
]

const failed = (errors: Readonly<Record<string, string>>): Response =>
  json({ isSuccess: false, errors })

async function presign(call: Call<typeof wire.presignUpload>): Promise<Response> {
  const { services, project, body, request, caller } = call
  const { options, storage } = services
  const configurationName = body.configurationName || storage.configurations[0]?.name
  const backend = configurationName ? await storage.backend(configurationName) : undefined
  if (!backend || !configurationName) {
    return failed({ configurationName: 'There is no storage configuration of this name.' })
  }
  const file = newFile(body)
  if ('errors' in file) return failed(file.errors)
  const itemId = options.newId()
  const now = options.now()
  const row = {
    ...file,
    projectId: project.id,
    itemId,
    systemName: systemNameOf(itemId, file.name),
    configurationName,
    createdBy: caller.id,
    createdDate: now,
    lastUpdatedDate: now,
  }
  const created = await call.transaction(async (tables) => {
    const [inserted] = await tables.insert(storedFiles).values(row).returning()
    await addUploadJob(tables, inserted!, backend)
    return inserted!
  })
  services.queue.wake()
  const { origin } = ownAddress(options, request)
  const { url, requiredHeaders, expiresAt } = await backend.signUpload(
    objectOf(project, created),
    origin,
  )
  return json({
    isSuccess: true,
    // Existing clients read only one of the names.
    preSignedUrl: url,
    uploadUrl: url,
    fileId: itemId,
    itemId,
    requiredHeaders,
    uploadUrlExpiresAtUtc: expiresAt,
    uploadCompletionRequired: false,
    ...(backend.multipart
      ? { multipartUrl: await multipartUrl(services, project, created, origin) }
      : {}),
    errors: null,
  })
}

/**
 * Returns the address that starts an upload in parts; like the file's address, it
 * authorizes itself.
 */
async function multipartUrl(
  services: Services,
  project: Project,
  { itemId, name }: FileRow,
  origin: string,
): Promise<string> {
  const { addressKey } = await services.identity.secrets(project)
  const expires = Math.floor(services.options.now().getTime() / 1000) + multipartSeconds
  const file = { projectKey: project.key, itemId, name }
  return `${origin}${signPath({ method: 'POST', ...file, expires, limit: 0 }, addressKey)}`
}

const notSignedIn = {
  reason: 'unauthenticated',
  error: 'session_not_found',
  message: 'There is no public file with this identifier.',
} as const

async function getFile(call: Call<typeof wire.getFile>): Promise<Response> {
  const { services, project, query, request, caller } = call
  const missing = rejection(404, `There is no file ${query.FileId}.`)
  const row = await call.snapshot((tables) => findFile(tables, query.FileId))
  // A private file and a missing one get the same response.
  if (!caller && !(row && isPublic(row))) throw new RejectedRequest(notSignedIn)
  const isOther = query.ConfigurationName && query.ConfigurationName !== row?.configurationName
  if (!row || isOther) return missing
  const backend = await services.storage.backend(row.configurationName)
  if (!backend) return missing
  if (!row.storedAt && !(await settleFile(services, project, backend, row))) {
    return rejection(404, `The file ${query.FileId} has not been uploaded yet.`)
  }
  const { origin } = ownAddress(services.options, request)
  const { url, expiresAt } = await backend.signDownload(objectOf(project, row), origin)
  return noStore(json({ isSuccess: true, url, expiresAtUtc: expiresAt, errors: null }))
}

const toFile = (row: FileRow, { key }: Project, origin: string) => ({
  itemId: row.itemId,
  createdDate: row.createdDate,
  lastUpdatedDate: row.lastUpdatedDate,
  createdBy: row.createdBy,
  url: isPublic(row)
    ? `${origin}${objectPath({ projectKey: key, itemId: row.itemId, name: row.name })}`
    : null,
  name: row.name,
  parentDirectoryID: row.parentDirectoryId,
  systemName: row.systemName,
  accessModifier: row.accessModifier,
  metaData: row.metaData,
  type: 1,
  typeString: 'File',
  currentVersion: row.currentVersion,
  additionalProperties: { contentType: row.contentType, configurationName: row.configurationName },
  sizeInBytes: row.sizeInBytes,
  tags: row.tags,
  moduleName: row.moduleName,
})
