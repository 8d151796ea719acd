import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeIfChanged } from '../src/files/write.ts'
import { runChild } from '@servicekit/testing/child-program'
import { filesIn, stampsIn, temporaryFolder } from '@servicekit/testing/folder'
import { isDeep } from '@servicekit/testing/is-deep'

/** Returns a long text of one repeated letter, so that a partial write is detectable. */
const textOf = (letter: string): string => letter.repeat(300_000)
const isWhole = (text: string): boolean => text.length === 300_000 && text === textOf(text[0]!)

const kills = isDeep ? 50 : 4

describe('writeIfChanged', () => {
  it('writes a changed file and its folders, and an unchanged file not again', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'a/b/c.txt')
    expect(await writeIfChanged(file, 'grüße')).toBe(true)
    const before = await stampsIn(folder)
    expect(await writeIfChanged(file, 'grüße')).toBe(false)
    expect(await stampsIn(folder)).toEqual(before)
    expect(await writeIfChanged(file, '')).toBe(true)
    expect(await readFile(file, 'utf8')).toBe('')
    expect(await filesIn(folder)).toEqual(['a/b/c.txt'])
  })

  it('does not rewrite a lone surrogate', async () => {
    const file = join(await temporaryFolder(), 'x')
    expect(await writeIfChanged(file, 'a\ud800')).toBe(true)
    expect(await writeIfChanged(file, 'a\ud800')).toBe(false)
  })

  it.each([
    ['it is a folder', 'folder'],
    ['a parent is a file', 'file/x.txt'],
  ])('names the file that cannot be written if %s', async (_, path) => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'folder'))
    await writeFile(join(folder, 'file'), '')
    const work = writeIfChanged(join(folder, path), 'x')
    await expect(work).rejects.toMatchObject({ code: 'EMIT_FAILED', name: 'ServicekitError' })
    await expect(work).rejects.toThrow(`Cannot write ${join(folder, path)}`)
    expect(await filesIn(folder)).toEqual(['file'])
  })

  it('reports missing permissions', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may write everywhere')
    const folder = await temporaryFolder()
    await chmod(folder, 0o500)
    await expect(writeIfChanged(join(folder, 'x'), 'x')).rejects.toThrow(/EACCES|EPERM/)
  })

  it('never exposes a partial file to concurrent readers and writers', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'x.json')
    await writeIfChanged(file, textOf('a'))
    const work = { isOver: false }
    let seen = 0
    const readers = Array.from({ length: 4 }, async () => {
      while (!work.isOver) {
        expect(isWhole(await readFile(file, 'utf8'))).toBe(true)
        seen++
      }
    })
    await Promise.all(
      [...'bcdefghijk'].map(async (letter) => {
        for (let n = 0; n < 5; n++) await writeIfChanged(file, textOf(letter))
      }),
    )
    work.isOver = true
    await Promise.all(readers)
    expect(seen).toBeGreaterThan(20)
    expect(await filesIn(folder)).toEqual(['x.json'])
  })

  it('leaves a complete file behind when it is killed', { timeout: 120_000 }, async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'x.json')
    await writeFile(file, textOf('a'))
    const code = `
      import { writeIfChanged } from '../src/files/write.ts'
      for (let n = 0; ; n++) {
        await writeIfChanged(${JSON.stringify(file)}, 'abcdefghij'[n % 10].repeat(300_000))
        process.stdout.write('.')
      }`
    const letters = new Set<string>()
    for (let killed = 0; killed < kills; killed++) {
      const child = runChild(code)
      const ended = new Promise((resolve) => child.on('close', resolve))
      // Kill it after some writes, at an arbitrary moment.
      let writes = 0
      await new Promise<void>((resolve) => {
        child.stdout!.on('data', (dots: Buffer) => {
          writes += dots.length
          if (writes > killed % 13) resolve()
        })
      })
      child.kill('SIGKILL')
      await ended
      const text = await readFile(file, 'utf8')
      expect(isWhole(text)).toBe(true)
      letters.add(text[0]!)
    }
    // It was killed while writing, not before.
    expect(letters.size).toBeGreaterThan(1)
  })
})
