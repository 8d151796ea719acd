import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installPackage } from '../src/install-package.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'servicekit-install-'))
  await mkdir(join(root, 'parser'))
  await writeFile(join(root, 'parser/package.json'), '{"name": "parser", "version": "1.0.0"}')
  await writeFile(join(root, 'package.json'), '{"name": "app"}')
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function install({
  name = 'file:./parser',
  yes = false,
  confirm,
}: {
  name?: string
  yes?: boolean
  confirm?: (question: string) => Promise<boolean>
}) {
  let stderr = ''
  const error = new ServicekitError('This command requires the package parser', {
    code: 'PACKAGE_MISSING',
    details: { package: name },
  })
  const io = {
    stdout: () => expect.unreachable('standard output is reserved for results'),
    stderr: (text: string) => void (stderr += text),
    isTerminal: false,
    progressIntervalMs: Infinity,
    ...(confirm && { confirm }),
    signal: new AbortController().signal,
  }
  await installPackage(error, { root, yes, io })
  return stderr
}

const isInstalled = (): Promise<boolean> =>
  access(join(root, 'node_modules/parser/package.json')).then(
    () => true,
    () => false,
  )

describe('without a terminal', () => {
  it.each([
    ['package-lock.json', 'npm i -D parser@1'],
    ['pnpm-lock.yaml', 'pnpm add -D parser@1'],
    ['yarn.lock', 'yarn add -D parser@1'],
    ['bun.lock', 'bun add -D parser@1'],
    ['no-lockfile.txt', 'npm i -D parser@1'],
  ])('names the command for a project with %s', async (lockFile, command) => {
    await writeFile(join(root, lockFile), '')
    await expect(install({ name: 'parser@1' })).rejects.toThrow(
      `This command requires the package parser\n  package: parser@1\nRun "${command}", or add --yes to run it automatically.`,
    )
  })

  it('installs with --yes', async () => {
    expect(await install({ yes: true })).toMatch(
      /^Running "npm i -D file:\.\/parser"\n[\s\S]*added 1/,
    )
    expect(await isInstalled()).toBe(true)
  })

  it('reports the exit code of the package manager', async () => {
    await expect(install({ name: 'file:./missing', yes: true })).rejects.toThrow(
      /^"npm i -D file:\.\/missing" failed with exit code \d+\n/,
    )
  })
})

describe('on a terminal', () => {
  it('prompts before it installs', async () => {
    const questions: string[] = []
    const confirm = async (question: string) => {
      questions.push(question)
      return true
    }
    await install({ confirm })
    expect(questions).toEqual([
      'This command requires the package parser. Run "npm i -D file:./parser"?',
    ])
    expect(await isInstalled()).toBe(true)
  })

  it('installs nothing if the user declines', async () => {
    await expect(install({ confirm: async () => false })).rejects.toThrow(
      'This command requires the package parser',
    )
    expect(await isInstalled()).toBe(false)
  })
})
