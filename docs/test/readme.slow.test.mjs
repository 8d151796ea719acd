import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPackages } from '../../packages/workspace/lib/packages.mjs'
import { readJson, root } from '../../packages/workspace/lib/root.mjs'
import { app } from '../../packages/workspace/start/app.mjs'

const run = promisify(execFile)
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language: language ?? '',
  text: text ?? '',
}))
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'))
  .map((line) => line.replace(/\s+#.*/, ''))
const opening = blocks[0]?.text ?? ''

/** A newcomer's application, built only from what the README shows. */
const folder = join(app, '.servicekit/readme')
const servicekit = join(app, 'node_modules/servicekit/bin/servicekit.js')
/** @type {import('node:child_process').ChildProcess | undefined} */
let platform
/** @type {Record<string, string>} */
let env = {}

/** @param {readonly string[]} args */
const runServicekit = (args) =>
  run(process.execPath, [servicekit, ...args], {
    cwd: folder,
    env: { ...process.env, CI: '', ...env },
  })

/** @param {string} line @returns {Promise<string>} the key of its project */
async function startPlatform(line) {
  const args = [...line.split(' ').slice(2), '--port', '0', '--memory', '--json']
  const child = spawn(process.execPath, [servicekit, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  platform = child
  /** @type {{ baseUrl: string, projectKey: string }} */
  const { baseUrl, projectKey } = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (text) => resolve(JSON.parse(text)))
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
  })
  // Only the port may differ, because the default may be taken; the files configure
  // everything else, as for a newcomer.
  env = { SERVICEKIT_URL: baseUrl, SERVICEKIT_PROJECT_KEY: '' }
  return projectKey
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'src'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type": "module", "private": true}\n')
  for (const { text } of blocks) {
    const file = /^\/\/ (\S+\.tsx?)\n/.exec(text)?.[1]
    if (file) await writeFile(join(folder, file), text)
  }
})
afterAll(async () => {
  platform?.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

it('is short and opens with code', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(150)
  expect(readme).toMatch(/^# Servicekit\n\n```tsx\n/)
  expect(opening.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(12)
})

it('names commands and packages that there are', () => {
  const { scripts } = readJson(join(root, 'package.json'))
  const names = new Set(
    readPackages()
      .filter(({ isPublic }) => isPublic)
      .map(({ name }) => name),
  )
  expect(commands.length).toBeGreaterThan(8)
  /** @param {string} line */
  const isKnown = (line) => {
    const [tool, command = '', ...rest] = line.split(' ')
    if (tool === 'npx') return command === 'servicekit'
    if (command === 'install') return rest.slice(1).every((name) => names.has(name))
    return tool === 'npm' && command in scripts
  }
  expect(commands.filter((line) => !isKnown(line))).toEqual([])
  for (const [, path = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
    expect(existsSync(join(root, path)), path).toBe(true)
  }
  for (const [, script = ''] of readme.matchAll(/`npm run ([\w:]+)`/g)) {
    expect(scripts).toHaveProperty(script)
  }
})

it('gives commands that run in the order in which they stand', async () => {
  const lines = commands.filter((line) => line.startsWith('npx servicekit '))
  expect(lines[0]).toContain('servicekit dev')
  const projectKey = await startPlatform(lines[0] ?? '')
  const config = blocks.find(({ text }) => text.startsWith('// servicekit.config.ts'))?.text
  expect(config).toContain(`baseUrl: 'http://127.0.0.1:4600',\n  projectKey: '${projectKey}'`)
  for (const line of lines.slice(1)) {
    const { code = 0, stderr } = await runServicekit(line.split(' ').slice(2)).catch(
      (error) => error,
    )
    expect([line, code, stderr]).toEqual([line, 0, stderr])
  }
  expect(await readdir(folder)).toContain('report.html')
  expect(await readdir(join(folder, 'uilm'))).toEqual(['de-DE', 'en-US', 'ja-JP'])
  expect(await readdir(join(folder, 'src/messages'))).toContain('catalog.js')
  expect(await readdir(join(folder, 'src/gateway'))).toContain('product.ts')
}, 60_000)

it('shows the errors that the compiler reports, and no others', async () => {
  const options = readJson(join(app, 'tsconfig.json')).compilerOptions
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['src'] }),
  )
  await writeFile(join(folder, 'src/opening.tsx'), opening)
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript')), 'tsc.js')
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', folder]).catch(
    (error) => error,
  )
  const reported = [...stdout.matchAll(/opening\.tsx\((\d+),(\d+)\): (error.*)$/gm)]
  const expected = opening.split('\n').flatMap((line, index) => {
    const caret = line.indexOf('^ error')
    return caret < 0 ? [] : [`${index} ${line.slice(caret + 2)}`]
  })
  expect(reported.map(([, line, , message]) => `${line} ${message}`)).toEqual(expected)
  expect(stdout.trim().split('\n')).toHaveLength(expected.length)
}, 60_000)

it('makes an application that Vite builds', async () => {
  await rm(join(folder, 'src/opening.tsx'))
  await writeFile(
    join(folder, 'index.html'),
    '<div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  )
  const vite = join(app, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build'], {
    cwd: folder,
    env: { ...process.env, CI: '', ...env },
  })
  const packs = (await readdir(join(folder, 'dist/assets'))).filter((name) =>
    name.startsWith('uilm-'),
  )
  expect(packs.map((name) => name.split('.')[1]).sort()).toEqual(['de-DE', 'en-US', 'ja-JP'])
}, 60_000)
