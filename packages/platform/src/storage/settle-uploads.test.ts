import { project } from '@servicekit/testing/projects'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { storedFiles } from '../database/tables.ts'
import { loadProject } from '../projects/load-project.ts'
import { prepareProject } from '../projects/prepare-project.ts'
import { resolveOptions } from '../resolve-options.ts'
import { createServices } from '../services.ts'
import type { Backend } from './backend.ts'
import { findFile } from './files.ts'
import { settleFile } from './settle-uploads.ts'

it('records the later upload if a look at an earlier one ends last', async () => {
  const options = resolveOptions({})
  const database = await openDatabase(options)
  onTestFinished(() => database.close())
  const services = createServices(options, database)
  await loadProject(services, await prepareProject(project('P')))
  const found = (await services.projects.find('P'))!
  const now = options.now()
  const [row] = await database.scoped(found.id, (tables) =>
    tables
      .insert(storedFiles)
      .values({
        projectId: found.id,
        itemId: 'f',
        name: 'a.txt',
        systemName: 'f.txt',
        accessModifier: 'Private',
        metaData: {},
        tags: [],
        moduleName: 8,
        configurationName: 'Cloud',
        createdDate: now,
        lastUpdatedDate: now,
      })
      .returning(),
  )
  let stored = { sizeInBytes: 1, contentType: 'text/plain', etag: undefined }
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let looks = 0
  const backend: Backend = {
    signUpload: () => Promise.reject(new Error('not used')),
    signDownload: () => Promise.reject(new Error('not used')),
    remove: () => Promise.reject(new Error('not used')),
    stat: async () => {
      const seen = stored
      if (++looks === 1) await held
      return seen
    },
  }
  const early = settleFile(services, found, backend, row!)
  stored = { ...stored, sizeInBytes: 2, contentType: 'image/png' }
  await settleFile(services, found, backend, row!)
  release()
  await early
  const recorded = await database.scoped(found.id, (tables) => findFile(tables, 'f'))
  expect(recorded).toMatchObject({ sizeInBytes: 2, contentType: 'image/png', currentVersion: 1 })
})
