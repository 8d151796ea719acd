import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withLock } from './lock.mjs'
import { temporaryName } from './root.mjs'

it('lets one at a time', async () => {
  const name = randomUUID()
  /** @type {string[]} */
  const events = []
  /** @param {string} who */
  const work = (who) =>
    withLock(name, async () => {
      events.push(`${who} in`)
      await new Promise((done) => {
        setImmediate(done)
      })
      events.push(`${who} out`)
    })
  await Promise.all([work('a'), work('b')])
  expect(events.map((event) => event.split(' ')[1])).toEqual(['in', 'out', 'in', 'out'])
})

it('is given back when the work fails', async () => {
  const name = randomUUID()
  const fail = withLock(name, async () => {
    throw new Error('broken')
  })
  await expect(fail).rejects.toThrow('broken')
  expect(existsSync(temporaryName(`${name}.lock`))).toBe(false)
})

it('is taken over from a process that has died', async () => {
  const name = randomUUID()
  // Above the highest process id that Linux gives out.
  writeFileSync(temporaryName(`${name}.lock`), '4194305')
  await expect(withLock(name, async () => 'done')).resolves.toBe('done')
})
