import { jobs, states, translations as operations } from '@servicekit/contract/control'
import { setActor } from '../database/actor.ts'
import {
  addLanguage,
  addModule,
  changeLanguage,
  readLanguages,
  readModules,
  removeByName,
  renameModule,
} from '../localization/catalog.ts'
import {
  discardDrafts,
  draftTranslations,
  publish,
  readDrafts,
  saveDrafts,
} from '../localization/drafts.ts'
import { readDraftProblems } from '../localization/draft-problems.ts'
import { setTranslations } from '../localization/edit-translations.ts'
import { readHistory } from '../localization/history.ts'
import { listKeys } from '../localization/list-keys.ts'
import { readWithheldDrafts } from '../localization/publishing.ts'
import { countStates, setStates } from '../localization/states.ts'
import {
  cancelTranslation,
  readTranslations,
  startTranslation,
} from '../localization/translation-jobs.ts'
import { updateProject } from '../database/project-directory.ts'
import { publishChange } from '../localization/publish.ts'
import { requireFound } from './control-errors.ts'
import { serveControl } from './control-operation.ts'
import { requireDraftRights, requireStateRights } from './translation-rights.ts'

/** Returns the key that a query names with its module, if it does. */
const keyOf = ({ module, key }: { readonly [Name in 'module' | 'key']?: string | undefined }) =>
  module === undefined || key === undefined ? undefined : { module, key }

const editing = [
  serveControl(operations.setTexts, ({ services, project, body }) =>
    publishChange(services, project, (tables) => setTranslations(tables, project.id, body)),
  ),
  serveControl(operations.listKeys, ({ query, snapshot }) => {
    const page = Math.max(1, query.page)
    const pageSize = Math.max(1, query.pageSize)
    return snapshot((tables) => listKeys(tables, { ...query, page, pageSize }))
  }),
  serveControl(operations.listDrafts, ({ snapshot }) => snapshot(readDrafts)),
  serveControl(operations.saveDrafts, ({ services, project, query, body, caller }) => {
    const mayAddKeys = requireDraftRights(caller, body)
    const wanted = query.create === 'true' ? 'new' : 'any'
    return saveDrafts(services.database, project, body, mayAddKeys ? wanted : 'existing')
  }),
  serveControl(
    operations.importTranslations,
    ({ services, project, body: { languages, modules, drafts }, locked }) =>
      locked(async (tables) => {
        const { newId } = services.options
        for (const language of languages) await addLanguage(tables, project, newId(), language)
        for (const module of modules) await addModule(tables, project, newId(), module)
        return draftTranslations(tables, project.id, drafts)
      }),
    { maxBytes: operations.maxTranslationsBytes },
  ),
  serveControl(operations.discardDrafts, async ({ query, transaction }) => ({
    discarded: await transaction((tables) => discardDrafts(tables, keyOf(query))),
  })),
  serveControl(operations.readHistory, ({ query, snapshot }) =>
    snapshot((tables) => readHistory(tables, Math.max(1, query.limit), keyOf(query))),
  ),
  serveControl(operations.listDraftProblems, ({ snapshot }) => snapshot(readDraftProblems)),
  serveControl(operations.publish, async ({ services, project, body }) => {
    const { drafts: expected, reason } = body ?? {}
    if (reason !== undefined) setActor({ reason })
    const isConfirmed = reason !== undefined
    let withheld = 0
    const publication = await publishChange(services, project, async (tables) => {
      const published = await publish(tables, project.id, { expected, isConfirmed })
      withheld = published.withheld
      return published.changed
    })
    return { ...publication, withheld }
  }),
]

const reviewing = [
  serveControl(states.setStates, ({ project, body, caller, locked }) => {
    requireStateRights(caller, body)
    return locked(async (tables) => ({ changed: await setStates(tables, project.id, body) }))
  }),
  serveControl(states.countStates, ({ snapshot }) => snapshot(countStates)),
  serveControl(states.listWithheldDrafts, ({ snapshot }) => snapshot(readWithheldDrafts)),
  serveControl(states.readPublishing, ({ project }) => ({
    onlyReviewed: project.publishOnlyReviewed,
  })),
  serveControl(states.changePublishing, async ({ project, body, locked }) => {
    await locked((tables) =>
      updateProject(tables, project, { publishOnlyReviewed: body.onlyReviewed }),
    )
    return body
  }),
]

const catalog = [
  serveControl(operations.listLanguages, ({ snapshot }) => snapshot(readLanguages)),
  serveControl(operations.addLanguage, ({ services, project, body, locked }) => {
    const id = services.options.newId()
    return locked((tables) => addLanguage(tables, project, id, body))
  }),
  serveControl(operations.changeLanguage, async ({ services, project, path, body }) => {
    await publishChange(services, project, (tables) =>
      changeLanguage(tables, project, path.code, body),
    )
    return { languageCode: path.code }
  }),
  serveControl(operations.removeLanguage, async ({ services, project, path }) => {
    await publishChange(services, project, (tables) =>
      removeByName(tables, project, 'language', path.code),
    )
    return { removed: path.code }
  }),
  serveControl(operations.listModules, ({ snapshot }) => snapshot(readModules)),
  serveControl(operations.addModule, ({ services, project, body, locked }) => {
    const id = services.options.newId()
    return locked((tables) => addModule(tables, project, id, body.moduleName))
  }),
  serveControl(operations.changeModule, async ({ services, project, path, body }) => {
    await publishChange(services, project, (tables) =>
      renameModule(tables, project, path.name, body.moduleName),
    )
    return body
  }),
  serveControl(operations.removeModule, async ({ services, project, path }) => {
    await publishChange(services, project, (tables) =>
      removeByName(tables, project, 'module', path.name),
    )
    return { removed: path.name }
  }),
]

const translating = [
  serveControl(jobs.list, ({ snapshot }) => snapshot((tables) => readTranslations(tables))),
  serveControl(jobs.start, ({ services, project, body }) =>
    startTranslation(services, project, body),
  ),
  serveControl(jobs.read, async ({ path, snapshot }) => {
    const [job] = await snapshot((tables) => readTranslations(tables, path.id))
    requireFound(job !== undefined, 'job')
    return job
  }),
  serveControl(jobs.cancel, async ({ services, path, transaction }) => {
    const now = services.options.now()
    const isCancelled = await transaction((tables) => cancelTranslation(tables, path.id, now))
    requireFound(isCancelled, 'job, or it has ended')
  }),
]

/** Operations that edit translations, keys, modules and languages, and publish them. */
export const translationOperations = [...editing, ...reviewing, ...catalog, ...translating]
