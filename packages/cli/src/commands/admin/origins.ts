import { type Action, type AdminCall, nameOf } from './action.ts'

async function readOrigins({ control, path }: AdminCall): Promise<readonly string[]> {
  const { project } = await path()
  const projects = await control.send('GET /projects')
  return projects.find(({ key }) => key === project)?.origins ?? []
}

const result = (origins: readonly string[]) => ({
  value: { origins },
  lines: origins.length === 0 ? ['There are no origins'] : origins,
})

const change =
  (update: (origins: readonly string[], origin: string) => readonly string[]): Action =>
  async (call) => {
    const origin = nameOf(call, 'origin')
    const body = update(await readOrigins(call), origin)
    const path = await call.path()
    return result(await call.control.send('PUT /projects/{project}/origins', { path, body }))
  }

export const originActions = {
  list: async (call) => result(await readOrigins(call)),
  add: change((origins, origin) => [...new Set([...origins, origin])]),
  remove: change((origins, origin) => origins.filter((one) => one !== origin)),
} satisfies Record<string, Action>
