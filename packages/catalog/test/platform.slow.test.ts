import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPlatform, type Platform } from '@servicekit/platform'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CatalogOptions, sizeOf } from '../src/index.ts'
import { bytesIn, changedLines, stampsIn, temporaryFolder } from '@servicekit/testing/folder'
import { projectOver } from '@servicekit/testing/translation-service'
import { storefrontSource } from './storefront.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const { projectKey } = JSON.parse(await readFile(join(storefront, 'project.json'), 'utf8')) as {
  projectKey: string
}

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [storefront] })
})
afterAll(() => platform?.close())

const control = async (method: string, path: string, body?: unknown): Promise<void> => {
  const request = new Request(`http://platform.test/_platform/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await platform.fetch(request)
  expect(response.status, await response.text()).toBeLessThan(300)
}

async function workspace(options: CatalogOptions = {}) {
  const root = await temporaryFolder()
  const statuses: number[] = []
  const project = projectOver(
    async (request) => {
      const response = await platform.fetch(request)
      statuses.push(response.status)
      return response
    },
    { root, projectKey, ...options },
  )
  return { root, statuses, project }
}

describe.each(['localization', 'uilm'] as const)('the platform with its %s routes', (family) => {
  it('pulls every translation of the project unchanged', async () => {
    await platform.loadProject(storefront)
    const { project } = await workspace({ family })
    const report = await project.pull()
    expect(report).toMatchObject({ languages: 6, modules: 8, files: 48, written: 49 })
    const { catalog } = await project.load()
    expect(sizeOf(catalog)).toEqual({ keys: 613, languages: 6, modules: 8, translations: 3430 })
    const source = await storefrontSource()
    for (const { name, translations } of catalog.modules) {
      for (const [language, file] of translations) {
        const raw = Object.entries(source.translations.get(`${language}/${name}`)!)
        expect(Object.fromEntries(file)).toEqual(
          Object.fromEntries(
            raw.map(([key, text]) => [key, text === '[ KEY MISSING ]' ? null : text]),
          ),
        )
      }
    }
  })

  it('reports unchanged and changed files', async () => {
    const { project, root, statuses } = await workspace({ family })
    await project.pull()
    const stamps = await stampsIn(root)
    statuses.length = 0
    expect(await project.pull()).toMatchObject({ unchanged: 48, written: 0, reshaped: false })
    expect(statuses.filter((status) => status === 304)).toHaveLength(48)
    expect(await stampsIn(root)).toEqual(stamps)

    const before = await bytesIn(root)
    const edit = { language: 'de-DE', module: 'auth', key: 'SIGN_IN', value: `Los ${family}` }
    await control('PUT', `projects/${projectKey}/texts`, [edit])
    const report = await project.pull()
    expect(report).toMatchObject({ unchanged: 47, written: 2 })
    expect(report.changed.map(({ language, module }) => `${language}/${module}`)).toEqual([
      'de-DE/auth',
    ])
    const after = await bytesIn(root)
    for (const all of [before, after]) delete all['.servicekit/cache/etags.json']
    expect(changedLines(before, after)).toHaveLength(2)
  })

  it('reports an unknown project key', async () => {
    const { project } = await workspace({ family, projectKey: 'Pnobody' })
    await expect(project.pull()).rejects.toThrow(
      family === 'uilm'
        ? /^Cannot list the languages: the service responded with 401\n {2}project: Pnobody/
        : /^Cannot list the languages: the service responded with 404\n {2}project: Pnobody/,
    )
  })
})

describe('a failing platform', () => {
  it('is retried after errors that may be temporary', async () => {
    const { project, statuses } = await workspace()
    const path = '*/GetUilmFile?*ModuleName=cart*'
    await control('POST', 'faults', { path, status: 429, retryAfter: 1, times: 2 })
    await control('POST', 'faults', { path, status: 503, times: 1 })
    expect(await project.pull()).toMatchObject({ files: 48 })
    expect(statuses.filter((status) => status >= 400).sort()).toEqual([429, 429, 503])
  })

  it.each([
    ['cuts its answers', { truncateAfter: 40 }, /module "cart" in \S+: the response is not JSON/],
    ['returns an empty body', { truncateAfter: 0 }, /Module "cart" in \S+ is empty/],
    ['is broken', { status: 500 }, /module "cart" in \S+: the service responded with 500/],
  ])('changes no file if the platform %s', async (_, fault, said) => {
    const { project, root } = await workspace()
    await project.pull()
    // Without ETags the files are sent again, and corrupted in transit.
    await rm(join(root, '.servicekit'), { recursive: true })
    const before = [await bytesIn(root), await stampsIn(root)]
    await control('POST', 'faults', { path: '*/GetUilmFile?*ModuleName=cart*', ...fault })
    try {
      await expect(project.pull()).rejects.toThrow(said)
      expect([await bytesIn(root), await stampsIn(root)]).toEqual(before)
    } finally {
      await control('DELETE', 'faults')
    }
    expect(await project.pull()).toMatchObject({ written: 0 })
  })
})

describe('a project whose languages and modules change', () => {
  it('is pulled after removals and in another dialect', async () => {
    const folder = await temporaryFolder()
    await cp(storefront, folder, { recursive: true })
    const edit = async (file: string, change: (value: never) => unknown): Promise<void> => {
      const value = JSON.parse(await readFile(join(folder, file), 'utf8')) as never
      await writeFile(join(folder, file), JSON.stringify(change(value)))
    }
    await edit('project.json', (value: object) => ({ ...value, projectKey: 'Pshape' }))
    await platform.loadProject(folder)
    const { project, root } = await workspace({ projectKey: 'Pshape' })
    await project.pull()

    await edit('project.json', (value: object) => ({
      ...value,
      dialect: { languageList: 'data', languageCode: 'culture', unknownFile: 'empty' },
    }))
    await edit('languages.json', (all: { languageCode: string }[]) =>
      all.filter(({ languageCode }) => languageCode !== 'bn-BD'),
    )
    await edit('modules.json', (all: { moduleName: string }[]) =>
      all.filter(({ moduleName }) => moduleName !== 'support'),
    )
    await rm(join(folder, 'uilm/bn-BD'), { recursive: true })
    for (const language of ['ar-EG', 'de-DE', 'en-US', 'fr-FR', 'ja-JP']) {
      await rm(join(folder, 'uilm', language, 'support.json'))
    }
    await platform.loadProject(folder)
    expect(await project.pull()).toMatchObject({ languages: 5, modules: 7, reshaped: true })
    const files = Object.keys(await bytesIn(join(root, 'uilm')))
    expect(files.filter((file) => /bn-BD|support/.test(file))).toEqual([])

    // The configuration still names the module, and the platform responds with an empty
    // body.
    const stale = await workspace({ projectKey: 'Pshape', modules: ['auth', 'support'] })
    expect(
      (await stale.project.pull()).problems.map(({ code, module }) => `${code} ${module}`),
    ).toEqual(Array.from({ length: 5 }, () => 'EMPTY_FILE support'))
  })
})
