import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../../packages/workspace/lib/root.mjs'

const run = promisify(execFile)
const page = readFileSync(join(root, 'docs/guides/own-files.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)(?: \[(.+)\])?\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', path, text = '']) => ({ language, path, text }),
)
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'))
const packages = join(root, 'packages')

/** Application with Vite, built only from what the page shows. @type {string} */
let folder

/** @param {string} line A command of the page. */
async function runLine(line) {
  const [, , ...args] = (line.match(/"[^"]*"|\S+/g) ?? []).map((one) => one.replaceAll('"', ''))
  const { NODE_OPTIONS: _, ...env } = process.env
  const program = join(packages, 'cli/bin/servicekit.js')
  const given = args[0] === 'init' ? [...args, '--yes'] : args
  return run(process.execPath, [program, ...given], {
    cwd: folder,
    env: { ...env, CI: '', SERVICEKIT_URL: '', SERVICEKIT_PROJECT_KEY: '' },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  )
}

/** @param {string} path @param {string} text */
async function write(path, text) {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-page-'))
  const devDependencies = {
    servicekit: '*',
    '@servicekit/unplugin': '*',
    typescript: '*',
    vite: '*',
  }
  await write('package.json', JSON.stringify({ type: 'module', devDependencies }, undefined, 2))
  await write('package-lock.json', '{}')
  await write('vite.config.js', 'export default { plugins: [] }\n')
  await write('index.html', '<script type="module" src="/src/cart.ts"></script>\n')
  await write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: 'preserve',
        lib: ['es2023', 'dom'],
        types: [],
      },
      include: ['src'],
    }),
  )
  await write('src/empty.ts', 'export {}\n')
  for (const { path, text } of blocks) {
    if (path?.startsWith('locales/')) await write(path, text)
  }
  const typescript = join(root, 'node_modules/typescript-7')
  await mkdir(join(folder, 'node_modules/@servicekit'), { recursive: true })
  await mkdir(join(folder, 'node_modules/.bin'))
  for (const [name, target] of [
    ['servicekit', join(packages, 'cli')],
    ['@servicekit/unplugin', join(packages, 'unplugin')],
    ['typescript', typescript],
    ['.bin/servicekit', join(packages, 'cli/bin/servicekit.js')],
    ['.bin/tsc', join(typescript, 'bin/tsc')],
  ]) {
    await symlink(target ?? '', join(folder, 'node_modules', name ?? ''))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('sets up the application that it describes', async () => {
  const [first = ''] = commands
  const { code, stdout, stderr } = await runLine(first)
  expect([first, code, stderr]).toEqual(['npx servicekit init --from locales', 0, stderr])
  const table = blocks.find(({ language }) => language === 'text')
  expect(stdout).toContain(table?.text)
  const config = blocks.find(({ path }) => path === 'servicekit.config.ts')
  expect(await readFile(join(folder, 'servicekit.config.ts'), 'utf8')).toBe(config?.text)
  expect(await readdir(folder)).not.toContain('uilm')
}, 120_000)

it('shows code that Vite builds', async () => {
  const code = blocks.find(({ path }) => path === 'src/cart.ts')
  await write('src/cart.ts', code?.text ?? '')
  const { NODE_OPTIONS: _, ...env } = process.env
  const vite = createRequire(import.meta.url).resolve('vite/package.json')
  await run(process.execPath, [join(dirname(vite), 'bin/vite.js'), 'build'], { cwd: folder, env })
  const packs = (await readdir(join(folder, 'dist/assets'))).filter((name) =>
    name.startsWith('uilm-'),
  )
  expect(packs.map((name) => name.split('.')[1]).sort()).toEqual(['de', 'en'])
}, 120_000)

it('gives commands that run in the order in which they stand', async () => {
  expect(commands.length).toBeGreaterThan(5)
  for (const line of commands.slice(1)) {
    const { code, stdout, stderr } = await runLine(line)
    // Neither the folder of the test nor its types are those of a clone.
    const isExpected = line.endsWith(' doctor')
      ? !/FOLDER|SNAPSHOT|SERVICE/.test(stdout)
      : code === 0
    expect([line, isExpected, stdout + stderr]).toEqual([line, true, stdout + stderr])
  }
  const english = await readFile(join(folder, 'locales/en/cart.json'), 'utf8')
  expect(english).toContain('  "CART_NOTHING": "Your cart is empty"')
  expect(english).not.toContain('CART_EMPTY')
  expect(await readdir(folder)).not.toContain('uilm.lock.json')
}, 120_000)

it('shows the message of a mistake', async () => {
  const shown = blocks.filter(({ language }) => language === 'text')[1]?.text.trim() ?? ''
  const before = await readFile(join(folder, 'locales/en/cart.json'), 'utf8')
  const lines = before.split('\n')
  lines[1] = lines[1]?.replace(/,$/, '') ?? ''
  await write('locales/en/cart.json', lines.join('\n'))
  const { code, stderr } = await runLine('npx servicekit pull')
  expect(code).not.toBe(0)
  expect(stderr).toContain(join(folder, shown))
}, 60_000)
