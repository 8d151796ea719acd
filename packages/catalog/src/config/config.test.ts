import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '@servicekit/testing/folder'
import { loadConfig } from './config.ts'

const esm = (key: string): string => `export default { projectKey: '${key}' }\n`
const typed = (key: string): string => `export default { projectKey: '${key}' as string }\n`
const commonJs = (key: string): string => `module.exports = { projectKey: '${key}' }\n`
const json = (key: string): string => JSON.stringify({ projectKey: key })

/** Returns the project keys of loading a config with the key A, and then with B. */
async function loadTwice(
  files: Record<string, string>,
  changed: string,
  content: (key: string) => string,
): Promise<readonly unknown[]> {
  const root = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
  const keys: unknown[] = []
  for (const key of ['A', 'B']) {
    await writeFile(join(root, changed), content(key))
    keys.push((await loadConfig(root)).service.projectKey)
    keys.push((await loadConfig(root, { listFiles: true })).service.projectKey)
  }
  return keys
}

it.each([
  ['ts', typed],
  ['mts', typed],
  ['cts', typed],
  ['js', esm],
  ['mjs', esm],
  ['cjs', commonJs],
  ['json', json],
] as const)('reads a changed servicekit.config.%s again', async (extension, content) => {
  const files = { 'package.json': '{"type": "module"}' }
  const keys = await loadTwice(files, `servicekit.config.${extension}`, content)
  expect(keys).toEqual(['A', 'A', 'B', 'B'])
})

it.each([
  ['shared.ts', typed],
  ['shared.json', json],
] as const)('reads a changed %s again that the config imports', async (name, content) => {
  const config = `import shared from './${name}'\nexport default { ...shared }\n`
  const keys = await loadTwice({ 'servicekit.config.ts': config }, name, content)
  expect(keys).toEqual(['A', 'A', 'B', 'B'])
})

it.each([
  ['json', '{"projectKey": }'],
  ['js', 'export default {\n  projectKey: ,\n}\n'],
  ['cjs', 'module.exports = 1\n'],
] as const)('names a servicekit.config.%s that it cannot evaluate', async (extension, text) => {
  const root = await temporaryFolder()
  const file = join(root, `servicekit.config.${extension}`)
  await writeFile(file, text)
  await expect(loadConfig(root)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('Cannot read servicekit.config'),
    details: { file },
  })
})

it('reads a config that imports defineConfig, where the package is not installed', async () => {
  const root = await temporaryFolder()
  const text = `import { defineConfig } from 'servicekit'\nexport default defineConfig({ projectKey: 'A' })\n`
  for (const extension of ['ts', 'mjs']) {
    const file = join(root, `servicekit.config.${extension}`)
    await writeFile(file, text)
    expect(await loadConfig(root)).toMatchObject({ file, service: { projectKey: 'A' } })
    await rm(file)
  }
})
