import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { endLeftovers, markedProcesses } from './leftovers.mjs'

it.skipIf(process.platform !== 'linux')(
  'finds and ends a process that left its group',
  async () => {
    const name = 'SERVICEKIT_LEFTOVER'
    const value = randomUUID()
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, [name]: value },
    })
    await once(child, 'spawn')
    const ended = once(child, 'exit')
    const found = await endLeftovers(`${name}=${value}`, 0)
    expect(found).toEqual([expect.stringMatching(`^${child.pid} .*setInterval`)])
    await ended
    expect(markedProcesses(`${name}=${value}`)).toEqual([])
  },
)
