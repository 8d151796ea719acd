import { z } from 'zod'
import {
  addLanguage,
  addModule,
  changeLanguage,
  NewLanguage,
  readLanguages,
  readModules,
  removeByName,
} from '../localization/catalog.ts'
import { discardDrafts, publish, readDrafts, saveDrafts } from '../localization/drafts.ts'
import { Draft, setTranslations, TranslationEdit } from '../localization/edit-translations.ts'
import { readHistory } from '../localization/history.ts'
import { listKeys } from '../localization/list-keys.ts'
import {
  cancelTranslation,
  readTranslations,
  startTranslation,
  TranslationOptions,
} from '../localization/translation-jobs.ts'
import { publishChange } from '../projects/publish.ts'
import {
  type Control,
  type ControlCall,
  created,
  onProject,
  parseInteger,
  readFlag,
  requireFound,
} from './control-call.ts'

const Drafts = z.array(Draft)
/** Drafts that the client knows; without them, all are published. */
const Publication = z.strictObject({ drafts: Drafts.optional() }).optional()

const maxPageSize = 1000

/** Routes that edit translations, keys, modules and languages, and publish them. */
export function localizationRoutes(control: Control): void {
  onProject(control, 'PUT /texts', async ({ services, project, read }) => {
    const edits = await read(z.array(TranslationEdit))
    return publishChange(services, project, (tables) => setTranslations(tables, project.id, edits))
  })
  onProject(control, 'GET /keys', async ({ query, snapshot }) => {
    const { module, search, missing } = query
    const page = Math.max(1, parseInteger(query['page'], 1))
    const pageSize = Math.max(1, parseInteger(query['pageSize'], 50, maxPageSize))
    return snapshot((tables) => listKeys(tables, { module, search, missing, page, pageSize }))
  })
  onProject(control, 'GET /drafts', ({ snapshot }) => snapshot(readDrafts))
  onProject(control, 'PUT /drafts', async (call) => {
    const { services, project, read } = call
    return saveDrafts(services.database, project, await read(Drafts), readFlag(call, 'create'))
  })
  onProject(control, 'DELETE /drafts', async ({ query, transaction }) => ({
    discarded: await transaction((tables) => discardDrafts(tables, keyOf(query))),
  }))
  onProject(control, 'GET /history', ({ query, snapshot }) => {
    const limit = Math.max(1, parseInteger(query['limit'], 100, maxPageSize))
    return snapshot((tables) => readHistory(tables, limit, keyOf(query)))
  })
  onProject(control, 'POST /publish', async ({ services, project, read }) => {
    const known = await read(Publication)
    return publishChange(services, project, (tables) => publish(tables, project.id, known?.drafts))
  })
  catalogRoutes(control)
  translationRoutes(control)
}

/** Returns the key that a query names with its module, if it does. */
const keyOf = ({ module, key }: ControlCall['query']) =>
  module === undefined || key === undefined ? undefined : { module, key }

function catalogRoutes(control: Control): void {
  onProject(control, 'GET /languages', ({ snapshot }) => snapshot(readLanguages))
  onProject(control, 'POST /languages', async ({ services, project, locked, read }) => {
    const language = await read(NewLanguage)
    const id = services.options.newId()
    return created(await locked((tables) => addLanguage(tables, project, id, language)))
  })
  onProject(control, 'PUT /languages/:code', async ({ project, locked, param, read }) => {
    const changes = await read(NewLanguage.omit({ languageCode: true }))
    return locked((tables) => changeLanguage(tables, project, param('code'), changes))
  })
  onProject(control, 'DELETE /languages/:code', ({ project, locked, param }) =>
    locked((tables) => removeByName(tables, project, 'language', param('code'))),
  )
  onProject(control, 'GET /modules', ({ snapshot }) => snapshot(readModules))
  onProject(control, 'POST /modules', async ({ services, project, locked, read }) => {
    const { moduleName } = await read(z.strictObject({ moduleName: z.string() }))
    const id = services.options.newId()
    return created(await locked((tables) => addModule(tables, project, id, moduleName)))
  })
  onProject(control, 'DELETE /modules/:name', ({ project, locked, param }) =>
    locked((tables) => removeByName(tables, project, 'module', param('name'))),
  )
}

function translationRoutes(control: Control): void {
  onProject(control, 'GET /translations', ({ snapshot }) =>
    snapshot((tables) => readTranslations(tables)),
  )
  onProject(control, 'POST /translations', async ({ services, project, read }) => {
    const job = await startTranslation(services, project, await read(TranslationOptions))
    return created(job, 202)
  })
  onProject(control, 'GET /translations/:id', async ({ snapshot, param }) => {
    const [job] = await snapshot((tables) => readTranslations(tables, param('id')))
    requireFound(job !== undefined, 'job')
    return job
  })
  onProject(control, 'DELETE /translations/:id', async ({ services, transaction, param }) => {
    const now = services.options.now()
    const isCancelled = await transaction((tables) => cancelTranslation(tables, param('id'), now))
    requireFound(isCancelled, 'job, or it has ended')
  })
}
