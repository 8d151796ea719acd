import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('is granted to one of many concurrent processes, even if it was abandoned', async () => {
    for (let round = 0; round < 5; round++) {
      await write(abandoned)
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => lockFolder(folder, 1000)),
      )
      const taken = results.filter((result) => result.status === 'fulfilled')
      expect(taken).toHaveLength(1)
      await taken[0]!.value()
    }
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
