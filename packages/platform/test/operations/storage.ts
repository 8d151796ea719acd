import { expect } from 'vitest'
import type { OperationCases } from './operation-case.ts'
import { wrongKeys } from './project-key.ts'

const text = expect.any(String) as string
const configurations = { path: '/logic/v4/Storage/Gets' }
const upload = {
  path: '/data/v4/Files/GetPreSignedUrlForUpload',
  body: { name: 'a.txt', projectKey: 'P', accessModifier: 'Public' },
}
const list = {
  path: '/data/v4/Files/GetFilesInfo',
  body: { page: 0, pageSize: 10, projectKey: 'P' },
}
const file = { path: '/data/v4/Files/GetFile', query: { FileId: 'none' } }

/** Cases of section 4.4. A failed upload is a 200 with `isSuccess: false`. */
export const storageCases: OperationCases = {
  'storage.listConfigurations': [
    { when: 'at any time', status: 200, send: (world) => world.send(configurations) },
    {
      when: 'without a project key',
      status: 400,
      send: (world) => world.send({ ...configurations, key: null }),
    },
    wrongKeys(configurations)[1]!,
  ],
  'storage.presignUpload': [
    {
      when: 'for a new file',
      status: 200,
      body: { isSuccess: true, preSignedUrl: text, fileId: text },
      send: (world) => world.send(upload),
    },
    {
      when: 'for an unknown configuration',
      status: 200,
      body: { isSuccess: false, errors: { configurationName: text } },
      send: (world) =>
        world.send({ ...upload, body: { ...upload.body, configurationName: 'none' } }),
    },
    {
      when: 'without a name',
      status: 400,
      send: (world) => world.send({ ...upload, body: { projectKey: 'P' } }),
    },
    {
      when: 'with another project in the body',
      status: 404,
      send: (world) => world.send({ ...upload, body: { ...upload.body, projectKey: 'U' } }),
    },
    ...wrongKeys(upload),
  ],
  'storage.listFiles': [
    {
      when: 'after an upload',
      status: 200,
      send: async (world) => {
        await world.upload()
        return world.send(list)
      },
      body: { errors: null },
    },
    {
      when: 'with a page before the first',
      status: 400,
      send: (world) => world.send({ ...list, body: { page: -1 } }),
    },
    ...wrongKeys(list),
  ],
  'storage.getFile': [
    {
      when: 'for a file that was uploaded',
      status: 200,
      body: { url: text },
      send: async (world) => world.send({ ...file, query: { FileId: await world.upload() } }),
    },
    {
      when: 'for a file that is not public, without a caller',
      status: 401,
      code: 'session_not_found',
      send: (world) => world.send({ ...file, isAnonymous: true }),
    },
    { when: 'without an id', status: 400, send: (world) => world.send({ path: file.path }) },
    {
      when: 'for an unknown file',
      status: 404,
      send: (world) => world.send(file),
    },
    ...wrongKeys(file),
  ],
}
