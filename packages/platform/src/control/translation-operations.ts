import { jobs, states, translations as operations } from '@servicekit/contract/control'
import { requireFound } from '../domain-errors.ts'
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
  publishDrafts,
  readDrafts,
  saveDrafts,
} from '../localization/drafts.ts'
import { readDraftProblems } from '../localization/draft-problems.ts'
import { setTranslations } from '../localization/edit-translations.ts'
import { readHistory } from '../localization/history.ts'
import { listKeys } from '../localization/list-keys.ts'
import {
  readDraftAuthors,
  readWithheldDrafts,
  selectDrafts,
} from '../localization/publishable-drafts.ts'
import { countStates, setStates } from '../localization/states.ts'
import {
  cancelTranslation,
  readTranslations,
  startTranslation,
} from '../localization/translation-jobs.ts'
import { updateProject } from '../database/project-directory.ts'
import { withPublishEvent } from '../localization/publish-event.ts'
import { implementControl } from './control-operation.ts'
import { requireDraftRights, requireStateRights } from './translation-rights.ts'

/** Returns the key that a query names with its module, if it does. */
const keyOf = ({ module, key }: { readonly [Name in 'module' | 'key']?: string | undefined }) =>
  module === undefined || key === undefined ? undefined : { module, key }

const editing = [
  implementControl(operations.setTexts, ({ services, project, body }) =>
    withPublishEvent(services, project, (tables) => setTranslations(tables, project.id, body)),
  ),
  implementControl(operations.listKeys, ({ query, snapshot }) => {
    const page = Math.max(1, query.page)
    const pageSize = Math.max(1, query.pageSize)
    return snapshot((tables) => listKeys(tables, { ...query, page, pageSize }))
  }),
  implementControl(operations.listDrafts, ({ snapshot }) =>
    snapshot((tables) => readDrafts(tables)),
  ),
  implementControl(operations.saveDrafts, ({ services, project, query, body, caller }) => {
    const mayAddKeys = requireDraftRights(caller, body)
    const wanted = query.create === 'true' ? 'new' : 'any'
    return saveDrafts(services.database, project, body, mayAddKeys ? wanted : 'existing')
  }),
  implementControl(
    operations.importTranslations,
    ({
      services,
      project,
      caller,
      body: { languages, modules, drafts, states: given },
      locked,
    }) => {
      requireStateRights(caller, given)
      return locked(async (tables) => {
        const { newId } = services.options
        for (const language of languages) await addLanguage(tables, project, newId(), language)
        for (const module of modules) await addModule(tables, project, newId(), module)
        const saved = await draftTranslations(tables, project.id, drafts)
        await setStates(tables, project.id, given)
        return saved
      })
    },
    { maxBytes: operations.maxTranslationsBytes },
  ),
  implementControl(operations.discardDrafts, async ({ query, transaction }) => ({
    discarded: await transaction((tables) => discardDrafts(tables, keyOf(query))),
  })),
  implementControl(operations.readHistory, ({ query, snapshot }) =>
    snapshot((tables) => readHistory(tables, Math.max(1, query.limit), keyOf(query))),
  ),
  implementControl(operations.listDraftProblems, ({ snapshot }) =>
    snapshot((tables) => readDraftProblems(tables)),
  ),
  implementControl(operations.previewPublication, ({ body: { selection }, snapshot }) =>
    snapshot(async (tables) => {
      const selected = await selectDrafts(tables, selection)
      return {
        drafts: await readDrafts(tables, selected),
        authors: await readDraftAuthors(tables, selected),
        problems: await readDraftProblems(tables, selection),
        withheld: await readWithheldDrafts(tables, selection),
      }
    }),
  ),
  implementControl(
    operations.publish,
    async ({ services, project, body }) => {
      const { selection, drafts: expected, reason } = body ?? {}
      if (reason !== undefined) setActor({ reason })
      const isConfirmed = reason !== undefined
      let withheld = 0
      const publication = await withPublishEvent(services, project, async (tables) => {
        const published = await publishDrafts(tables, project.id, {
          selection,
          expected,
          isConfirmed,
        })
        withheld = published.withheld
        return published.changed
      })
      return { ...publication, withheld }
    },
    // The console sends the drafts that it knows, as many as an import may create.
    { maxBytes: operations.maxTranslationsBytes },
  ),
]

const reviewing = [
  implementControl(states.setStates, ({ project, body, caller, locked }) => {
    requireStateRights(caller, body)
    return locked(async (tables) => ({ changed: await setStates(tables, project.id, body) }))
  }),
  implementControl(states.countStates, ({ snapshot }) => snapshot(countStates)),
  implementControl(states.listWithheldDrafts, ({ snapshot }) =>
    snapshot((tables) => readWithheldDrafts(tables)),
  ),
  implementControl(states.readPublishing, ({ project }) => ({
    onlyReviewed: project.publishOnlyReviewed,
  })),
  implementControl(states.changePublishing, async ({ project, body, locked }) => {
    await locked((tables) =>
      updateProject(tables, project, { publishOnlyReviewed: body.onlyReviewed }),
    )
    return body
  }),
]

const catalog = [
  implementControl(operations.listLanguages, ({ snapshot }) => snapshot(readLanguages)),
  implementControl(operations.addLanguage, ({ services, project, body, locked }) => {
    const id = services.options.newId()
    return locked((tables) => addLanguage(tables, project, id, body))
  }),
  implementControl(operations.changeLanguage, async ({ services, project, path, body }) => {
    await withPublishEvent(services, project, (tables) =>
      changeLanguage(tables, project, path.code, body),
    )
    return { languageCode: path.code }
  }),
  implementControl(operations.removeLanguage, async ({ services, project, path }) => {
    await withPublishEvent(services, project, (tables) =>
      removeByName(tables, project, 'language', path.code),
    )
    return { removed: path.code }
  }),
  implementControl(operations.listModules, ({ snapshot }) => snapshot(readModules)),
  implementControl(operations.addModule, ({ services, project, body, locked }) => {
    const id = services.options.newId()
    return locked((tables) => addModule(tables, project, id, body.moduleName))
  }),
  implementControl(operations.changeModule, async ({ services, project, path, body }) => {
    await withPublishEvent(services, project, (tables) =>
      renameModule(tables, project, path.name, body.moduleName),
    )
    return body
  }),
  implementControl(operations.removeModule, async ({ services, project, path }) => {
    await withPublishEvent(services, project, (tables) =>
      removeByName(tables, project, 'module', path.name),
    )
    return { removed: path.name }
  }),
]

const translating = [
  implementControl(jobs.list, ({ snapshot }) => snapshot((tables) => readTranslations(tables))),
  implementControl(jobs.start, ({ services, project, body }) =>
    startTranslation(services, project, body),
  ),
  implementControl(jobs.read, async ({ path, snapshot }) => {
    const [job] = await snapshot((tables) => readTranslations(tables, path.id))
    requireFound(job !== undefined, 'job')
    return job
  }),
  implementControl(jobs.cancel, async ({ services, path, transaction }) => {
    const now = services.options.now()
    const isCancelled = await transaction((tables) => cancelTranslation(tables, path.id, now))
    requireFound(isCancelled, 'job, or it has ended')
  }),
]

/** Operations that edit translations, keys, modules and languages, and publish them. */
export const translationOperations = [...editing, ...reviewing, ...catalog, ...translating]
