import { z } from 'zod'
import { type Control, onProject, Refused } from './control.ts'
import { listenerFault } from './listeners.ts'

const ListenerBody = z.strictObject({
  url: z.string(),
  headerKey: z.string().optional(),
  secret: z.string().optional(),
})

/** Routes that register loopback URLs to receive a project's events. */
export function listenerRoutes(control: Control): void {
  onProject(control, 'GET', '/listeners', async ({ services, project }) =>
    services.listeners.list(project.key),
  )
  onProject(
    control,
    'POST',
    '/listeners',
    async ({ services, project, read }) => {
      const listener = await read(ListenerBody)
      const fault = listenerFault(listener)
      if (fault) throw new Refused(400, fault)
      return services.listeners.add(project.key, listener)
    },
    201,
  )
  onProject(control, 'DELETE', '/listeners', async ({ services, project }) => {
    services.listeners.remove(project.key)
  })
  onProject(control, 'DELETE', '/listeners/:id', async ({ services, project, param }) => {
    if (!services.listeners.remove(project.key, param('id'))) {
      throw new Refused(404, 'There is no such listener.')
    }
  })
}
