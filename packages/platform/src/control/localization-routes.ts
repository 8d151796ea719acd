import { z } from 'zod'
import { accepted, type Control, numberOf, onProject } from './control.ts'

const Drafts = z.array(
  z.union([
    z.strictObject({
      module: z.string(),
      key: z.string(),
      language: z.string(),
      value: z.string().nullable(),
    }),
    z.strictObject({ module: z.string(), key: z.string(), isRemoved: z.literal(true) }),
  ]),
)
const LanguageBody = z.strictObject({
  languageCode: z.string(),
  languageName: z.string().optional(),
  isDefault: z.boolean().optional(),
})
const ModuleBody = z.strictObject({ moduleName: z.string() })

/** Maximum page size of the key list. */
const maxPageSize = 1000

/** Routes that edit translations, keys, modules and languages, and publish them. */
export function localizationRoutes(control: Control): void {
  draftRoutes(control)
  languageRoutes(control)
  moduleRoutes(control)
  onProject(control, 'GET', '/keys', async ({ services, project, query }) => {
    const { listKeys } = await import('../localization/list-keys.ts')
    const { module, search, missing } = query
    const page = Math.max(1, numberOf(query['page'], 1, Number.MAX_SAFE_INTEGER))
    const pageSize = Math.max(1, numberOf(query['pageSize'], 50, maxPageSize))
    return services.database.scoped(
      project.id,
      (tables) => listKeys(tables, { module, search, missing, page, pageSize }),
      { isReadOnly: true },
    )
  })
}

function draftRoutes(control: Control): void {
  onProject(control, 'GET', '/drafts', async ({ services, project }) => {
    const { readDrafts } = await import('../localization/drafts.ts')
    return services.database.scoped(project.id, readDrafts, { isReadOnly: true })
  })
  onProject(control, 'PUT', '/drafts', async ({ services, project, read }) => {
    const { saveDrafts } = await import('../localization/drafts.ts')
    return accepted(await saveDrafts(services.database, project, await read(Drafts)))
  })
  onProject(control, 'DELETE', '/drafts', async ({ services, project, query }) => {
    const { discardDrafts } = await import('../localization/drafts.ts')
    const { module, key } = query
    const only = module === undefined || key === undefined ? undefined : { module, key }
    const discarded = await services.database.scoped(project.id, (tables) =>
      discardDrafts(tables, only),
    )
    return { discarded }
  })
  onProject(control, 'POST', '/publish', async ({ services, project }) => {
    const { publishProject } = await import('../projects/load-project.ts')
    return publishProject(services, project)
  })
}

function languageRoutes(control: Control): void {
  onProject(control, 'GET', '/languages', async ({ services, project }) => {
    const { readLanguages } = await import('../localization/read-catalog.ts')
    return services.database.scoped(project.id, readLanguages, { isReadOnly: true })
  })
  onProject(
    control,
    'POST',
    '/languages',
    async ({ services, project, read }) => {
      const { addLanguage } = await import('../localization/edit-catalog.ts')
      const { database, options } = services
      return accepted(
        await addLanguage(database, project, options.newId(), await read(LanguageBody)),
      )
    },
    201,
  )
  onProject(control, 'PUT', '/languages/:code', async ({ services, project, param, read }) => {
    const { changeLanguage } = await import('../localization/edit-catalog.ts')
    const changes = await read(LanguageBody.omit({ languageCode: true }))
    return accepted(await changeLanguage(services.database, project, param('code'), changes))
  })
  onProject(control, 'DELETE', '/languages/:code', async ({ services, project, param }) => {
    const { removeLanguage } = await import('../localization/edit-catalog.ts')
    return accepted(await removeLanguage(services.database, project, param('code')))
  })
}

function moduleRoutes(control: Control): void {
  onProject(control, 'GET', '/modules', async ({ services, project }) => {
    const { readModules } = await import('../localization/read-catalog.ts')
    return services.database.scoped(project.id, readModules, { isReadOnly: true })
  })
  onProject(
    control,
    'POST',
    '/modules',
    async ({ services, project, read }) => {
      const { addModule } = await import('../localization/edit-catalog.ts')
      const { moduleName } = await read(ModuleBody)
      const { database, options } = services
      return accepted(await addModule(database, project, options.newId(), moduleName))
    },
    201,
  )
  onProject(control, 'DELETE', '/modules/:name', async ({ services, project, param }) => {
    const { removeModule } = await import('../localization/edit-catalog.ts')
    return accepted(await removeModule(services.database, project, param('name')))
  })
}
