import { type Action, type AdminCall, nameOf } from './action.ts'

async function readOrigins({ send, project }: AdminCall): Promise<readonly string[]> {
  const path = await project()
  const projects = (await (await send('/projects')).json()) as readonly {
    readonly key: string
    readonly origins: readonly string[]
  }[]
  const found = projects.find(({ key }) => path === `/projects/${encodeURIComponent(key)}`)
  return found?.origins ?? []
}

const result = (origins: readonly string[]) => ({
  value: { origins },
  lines: origins.length === 0 ? ['There are no origins'] : origins,
})

const change =
  (update: (origins: readonly string[], origin: string) => readonly string[]): Action =>
  async (call) => {
    const origin = nameOf(call, 'origin')
    const origins = update(await readOrigins(call), origin)
    const response = await call.send(`${await call.project()}/origins`, 'PUT', origins)
    return result((await response.json()) as readonly string[])
  }

export const originActions = {
  list: async (call) => result(await readOrigins(call)),
  add: change((origins, origin) => [...new Set([...origins, origin])]),
  remove: change((origins, origin) => origins.filter((one) => one !== origin)),
} satisfies Record<string, Action>
