import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from './run.ts'

let root = ''
const at = (path: string): string => join(root, path)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'servicekit-push-'))
  await mkdir(at('locales/en'), { recursive: true })
  await mkdir(at('src'))
  await writeFile(
    at('locales/en/cart.json'),
    '{ "PAY": "Pay", "OLD": "Old\\u202e", "NAMED": "N" }\n',
  )
  await writeFile(at('servicekit.config.json'), '{ "localization": { "from": "locales" } }')
  const imports = { '#messages/*': './messages/*.js' }
  const scripts = { prepare: 'servicekit compile --out messages' }
  await writeFile(at('package.json'), JSON.stringify({ type: 'module', imports, scripts }))
  await writeFile(at('src/a.js'), "import { PAY } from '#messages/cart'\nPAY() // NAMED\n")
  await run(['pull', '--root', root])
})
afterEach(() => rm(root, { recursive: true, force: true }))

const keys = async (): Promise<readonly string[]> =>
  Object.keys(JSON.parse(await readFile(at('locales/en/cart.json'), 'utf8')) as object)

describe('push --prune', () => {
  const args = (): readonly string[] => ['push', '--root', root, '--prune']

  it('shows what it removes, and removes it only after confirmation', async () => {
    const refused = await run(args())
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('to remove: cart OLD "Old\\u202e"\n')
    expect(refused.stderr).toContain('Remove 1 key that no code uses requires confirmation')
    expect(await keys()).toEqual(['PAY', 'OLD', 'NAMED'])
    const declined = await run(args(), undefined, async () => false)
    expect(declined).toMatchObject({ code: 0 })
    expect(await keys()).toEqual(['PAY', 'OLD', 'NAMED'])
    const done = await run([...args(), '--yes'])
    expect(done.stdout).toContain('removed cart OLD "Old\\u202e"\n')
    expect(done.stderr).toContain('src/a.js:2 has the name of cart NAMED, which is kept\n')
    expect(await keys()).toEqual(['PAY', 'NAMED'])
  })

  it('writes nothing in a dry run, and lists code that it cannot read', async () => {
    const dry = await run([...args(), '--dry-run'])
    expect(dry).toMatchObject({ code: 0 })
    expect(dry.stdout).toContain('would remove cart OLD')
    await writeFile(at('src/b.marko'), 'import { OLD } from "~uilm/cart"')
    const { code, stderr } = await run([...args(), '--yes'])
    expect(code).toBe(2)
    expect(stderr).toContain(
      'Cannot prune, because not all of the code can be read\nsrc/b.marko:1:1: its file type is unknown\n',
    )
    expect(await keys()).toEqual(['PAY', 'OLD', 'NAMED'])
  })
})
