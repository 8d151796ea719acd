import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderLockedError, lockFolder } from './lock-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('lockFolder', () => {
  const write = (name: string) => writeFile(join(folder, name), '')
  const abandoned = `lock-${2 ** 22 + 1}-1-a`

  it('is taken over from a process that has ended', async () => {
    await write(abandoned)
    const release = await lockFolder(folder, 1000)
    const [name, ...others] = await readdir(folder)
    expect(others).toEqual([])
    expect(name).toMatch(new RegExp(`^lock-${process.pid}-`))
    await release()
    expect(await readdir(folder)).toEqual([])
  })

  it.runIf(existsSync('/proc/self/stat'))(
    'is taken over from a process whose id was reused',
    async () => {
      await write(`lock-${process.pid}-1-a`)
      const release = await lockFolder(folder, 1000)
      await release()
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('is granted to one of many concurrent processes at a time, even if it was abandoned', async () => {
    for (let round = 0; round < 5; round++) {
      await write(abandoned)
      let holders = 0
      let most = 0
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const release = await lockFolder(folder, 30_000)
          most = Math.max(most, ++holders)
          await sleep(5)
          holders--
          await release()
        }),
      )
      expect(most).toBe(1)
    }
  })

  it('is not taken from a running process whose start is not known', async () => {
    await write(`lock-${process.pid}--a`)
    await expect(lockFolder(folder, 0)).rejects.toThrow(FolderLockedError)
  })

  it('names the process that keeps a folder locked', async () => {
    const release = await lockFolder(folder, 0)
    const second = lockFolder(folder, 50)
    await expect(second).rejects.toThrow(FolderLockedError)
    await expect(second).rejects.toThrow(`Process ${process.pid} uses the folder`)
    await release()
    await (
      await lockFolder(folder, 0)
    )()
  })
})
