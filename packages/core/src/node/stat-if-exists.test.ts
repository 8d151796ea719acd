import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readIfExistsSync } from './read-file.ts'
import { statIfExists } from './stat-if-exists.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'servicekit-stat-')))
afterAll(() => rmSync(folder, { recursive: true }))

it('returns undefined for what does not exist', () => {
  writeFileSync(join(folder, 'file'), 'text')
  expect(statIfExists(join(folder, 'file'))?.size).toBe(4n)
  expect(statIfExists(join(folder, 'missing'))).toBeUndefined()
  expect(statIfExists(join(folder, 'file/missing'))).toBeUndefined()
})

describe.skipIf(process.platform === 'win32')('links to modules are resolved', () => {
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))

  const { resolve } = createRequire(import.meta.url)
  const resolveLinked = (name: string): string => {
    writeFileSync(join(folder, 'real', name), '')
    return resolve(join(folder, 'link', name))
  }

  it('after a named pipe was looked at', () => {
    // Node knows the folders from now on.
    expect(resolveLinked('first.js')).toBe(join(folder, 'real/first.js'))
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(statIfExists(pipe)?.isFIFO()).toBe(true)
    expect(() => readIfExistsSync(pipe)).toThrow('is a named pipe or a device')
    expect(resolveLinked('second.js')).toBe(join(folder, 'real/second.js'))
  })

  it('after a socket was looked at', async () => {
    const socket = join(folder, 'socket')
    const server = createServer().listen(socket)
    await new Promise((done) => server.once('listening', done))
    expect(statIfExists(socket)?.isSocket()).toBe(true)
    expect(resolveLinked('third.js')).toBe(join(folder, 'real/third.js'))
    server.close()
  })
})
