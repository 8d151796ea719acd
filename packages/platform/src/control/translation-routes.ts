import { z } from 'zod'
import { accepted, type Control, onProject, Refused } from './control.ts'

const Wish = z.strictObject({
  languages: z.array(z.string()).optional(),
  modules: z.array(z.string()).optional(),
  source: z.string().optional(),
  minConfidence: z.number().min(0).max(1).optional(),
  publish: z.boolean().optional(),
})

/** Routes that start, list and cancel auto-translation jobs. */
export function translationRoutes(control: Control): void {
  onProject(control, 'GET', '/translations', async ({ services, project }) => {
    const { readTranslations } = await import('../localization/translation-jobs.ts')
    return services.database.scoped(project.id, (tables) => readTranslations(tables))
  })
  onProject(
    control,
    'POST',
    '/translations',
    async ({ services, project, read }) => {
      const { startTranslation } = await import('../localization/translation-jobs.ts')
      return accepted(await startTranslation(services, project, await read(Wish)))
    },
    202,
  )
  onProject(control, 'GET', '/translations/:id', async ({ services, project, param }) => {
    const { readTranslations } = await import('../localization/translation-jobs.ts')
    const [job] = await services.database.scoped(project.id, (tables) =>
      readTranslations(tables, param('id')),
    )
    if (!job) throw new Refused(404, 'There is no such job.')
    return job
  })
  onProject(control, 'DELETE', '/translations/:id', async ({ services, project, param }) => {
    const { cancelTranslation } = await import('../localization/translation-jobs.ts')
    const { database, options } = services
    if (!(await cancelTranslation(database, project, param('id'), options.now()))) {
      throw new Refused(404, 'There is no such job, or it has ended.')
    }
  })
}
