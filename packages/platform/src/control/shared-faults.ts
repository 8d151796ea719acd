import type { Database } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import { type Permits, sharedPermits } from '../http/permits.ts'
import { type Fault, FaultRule, type Faults, faults } from './faults.ts'

/** Dependencies of shared fault rules. */
export interface SharedFaultParts {
  /** Resolves once the database is open. */
  readonly send: () => Promise<Database['send']>
  /** Notifies other instances that the rules changed. */
  readonly tell: () => Promise<void>
  readonly now: () => Date
  readonly onFault: (fault: Error) => void
}

/** Fault rules shared by all instances on one database. */
export interface SharedFaults extends Faults {
  /** Reads the rules again, for example after another instance changed them. */
  readonly reload: () => Promise<void>
}

const insert = `
  insert into servicekit.fault_rules (id, rule, times_left) values ($1, $2::json, $3::int)`
const remove = 'delete from servicekit.fault_rules where id = $1'
const removeAll = 'delete from servicekit.fault_rules where $1'
const select = 'select id, rule, times_left from servicekit.fault_rules where $1 order by seq'
const use = `
  update servicekit.fault_rules set times_left = times_left - 1
  where id = $1 and times_left > 0 returning times_left`

/**
 * Fault rules stored in the database. Each instance has a local copy, so a request that
 * matches no rule needs no query. The remaining uses of a rule are counted in the
 * database.
 */
export function sharedFaults({ send, tell, now, onFault }: SharedFaultParts): SharedFaults {
  const set = faults(now, () => crypto.randomUUID())
  const budgets = new Map<string, Permits>()
  let last: Promise<void> = Promise.resolve()

  /** Rules of this instance that are not written to the database yet. */
  const unwritten = new Map<string, Fault>()

  const reloadNow = async (): Promise<void> => {
    const [found] = await (await send())([{ text: select, values: [true] }])
    const rules = found!.rows as unknown as readonly {
      id: string
      rule: unknown
      times_left: number | null
    }[]
    const written = rules.map(({ id, rule, times_left: times }) => {
      const { times: _, ...rest } = FaultRule.parse(rule)
      return { ...rest, id, ...(times === null ? {} : { times }) }
    })
    set.replace([...written, ...unwritten.values()])
  }
  const queue = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch(onFault)
    return last
  }
  /** Queues a write. Until it completes, this instance uses its local copy. */
  const write = (text: string, values: Statement['values'], id?: string): void => {
    void queue(async () => {
      const run = await send()
      await run([{ text, values }])
      if (id !== undefined) unwritten.delete(id)
      // A reload while this write was in flight may have read an older state.
      await reloadNow()
      await tell()
    })
  }
  /**
   * Counts a use of a rule that is limited in number; returns false if it is used up,
   * here or in another instance.
   */
  const uses = async ({ id, times }: Fault): Promise<boolean> => {
    if (times === undefined) return true
    await last
    const [found] = await (await send())([{ text: use, values: [id] }])
    const left = found!.rows[0]?.['times_left'] as number | undefined
    if (left === undefined || left === 0) {
      set.remove(id)
      write(remove, [id])
    }
    return left !== undefined
  }
  const passes = async ({ id, budget }: Fault): Promise<boolean> => {
    if (!budget) return false
    const known = budgets.get(id)
    const permits = known ?? sharedPermits(budget.requests, send, onFault, `fault ${id}`)
    if (!known) budgets.set(id, permits)
    return permits.take('', Math.floor(now().getTime() / budget.windowMs))
  }

  return {
    ...set,
    add: (rule) => {
      const fault = set.add(rule)
      unwritten.set(fault.id, fault)
      write(insert, [fault.id, JSON.stringify(rule), rule.times ?? null], fault.id)
      return fault
    },
    remove: (id) => {
      const wasThere = set.remove(id)
      for (const other of unwritten.keys()) {
        if (id === undefined || id === other) unwritten.delete(other)
      }
      if (id === undefined) write(removeAll, [true])
      else write(remove, [id])
      return wasThere
    },
    take: async (method, url) => {
      for (const fault of set.met(method, url)) {
        if (!(await passes(fault)) && (await uses(fault))) return fault
      }
      return undefined
    },
    settled: () => last,
    reload: () => queue(reloadNow),
  }
}
