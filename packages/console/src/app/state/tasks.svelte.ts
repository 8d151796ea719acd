import type { Api } from './api.ts'
import type { Person, TaskCounts } from './records.ts'

/** Creates the people of a project, and the number of tasks that wait for the user. */
export function createTasks(api: Api, projectKey: string) {
  const storageKey = `servicekit-console-person ${projectKey}`
  let people = $state.raw<readonly Person[]>([])
  let chosen = $state(localStorage.getItem(storageKey))
  let counts = $state.raw<TaskCounts>()
  let changes = $state(0)
  /** Person who uses the console: the user, or on this machine whom the user chose to be. */
  const person = $derived(
    people.find(({ isCaller }) => isCaller) ?? people.find(({ id }) => id === chosen),
  )
  const total = $derived(Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0))
  /** The counts are no reason to interrupt what the user does: a failure leaves them out. */
  async function reload(): Promise<void> {
    changes += 1
    try {
      if (people.length === 0) people = await api.get('/people')
      counts = person && (await api.get('/tasks/counts', { query: { person: person.id } }))
    } catch {
      counts = undefined
    }
  }
  return {
    get people() {
      return people
    },
    get person() {
      return person
    },
    get counts() {
      return counts
    },
    /** Number of all tasks. */
    get total() {
      return total
    },
    /** Number of times that comments or assignments may have changed. */
    get changes() {
      return changes
    },
    reload,
    /** Remembers who uses the console on this machine. */
    choose: (id: string): Promise<void> => {
      chosen = id
      localStorage.setItem(storageKey, id)
      return reload()
    },
  }
}

export type Tasks = ReturnType<typeof createTasks>
