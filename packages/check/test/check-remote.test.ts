import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check, finish } from '../src/index.ts'
import { migrate } from '../src/index.ts'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

const files = () => ({
  'en-US/auth': { A: 'a', B: 'b', C: 'c' },
  'en-US/shop': { BUY: 'Buy' },
  'de-DE/auth': { A: 'a', B: 'b', C: 'c' },
  'de-DE/shop': { BUY: 'Kaufen' },
})

async function committed() {
  const root = await temporaryFolder()
  const fake = fakeService(files())
  fake.served.sendsEtags = true
  const project = projectOver(fake.fetch, { root })
  await project.pull()
  fake.requests.length = 0
  const run = async (options: object = {}) => {
    const { findings, ok } = await finish(
      check({ project, remote: true, rules: { unused: 'off' }, ...options }),
    )
    return {
      ok,
      found: findings.map(({ severity, rule, file, message }) => [severity, rule, file, message]),
    }
  }
  return { root, fake, project, run }
}

describe('check against the service', () => {
  it('finds nothing if nothing changed, sends conditional requests and writes nothing', async () => {
    const { root, fake, run } = await committed()
    const before = await bytesIn(root)
    expect(await run()).toEqual({ ok: true, found: [] })
    expect(await bytesIn(root)).toEqual(before)
    const texts = fake.requests.filter(({ url }) => url.pathname.endsWith('GetUilmFile'))
    expect(texts.map(({ condition }) => condition !== null)).toEqual([true, true, true, true])
  })

  it('reports changed translations and added or removed files', async () => {
    const { root, fake, run } = await committed()
    fake.served.files.set('de-DE/auth', { A: 'neu', B: 'b', D: 'd' })
    fake.served.files.set('de-DE/news', { N: 'n' })
    fake.served.files.set('en-US/news', { N: 'n' })
    fake.served.modules = [{ moduleName: 'auth' }, { moduleName: 'news' }]
    const before = await bytesIn(root)
    const { ok, found } = await run()
    expect(ok).toBe(true)
    const pull = 'run `servicekit pull`'
    expect(found).toEqual([
      [
        'warning',
        'drift',
        'uilm/de-DE/auth.json',
        `the service has different translations for A, C, D; ${pull}`,
      ],
      [
        'warning',
        'drift',
        'uilm/de-DE/news.json',
        `the service has this file, but it is not committed; ${pull}`,
      ],
      ['warning', 'drift', 'uilm/de-DE/shop.json', `the service no longer has this file; ${pull}`],
      [
        'warning',
        'drift',
        'uilm/en-US/news.json',
        `the service has this file, but it is not committed; ${pull}`,
      ],
      ['warning', 'drift', 'uilm/en-US/shop.json', `the service no longer has this file; ${pull}`],
    ])
    expect(await bytesIn(root)).toEqual(before)
    expect((await run({ rules: { drift: 'error', unused: 'off' } })).ok).toBe(false)
  })

  it('reports an unreachable service and compares only the lock file', async () => {
    const { root, fake, run } = await committed()
    fake.served.instead = () => new Response('gone', { status: 503 })
    await writeFile(join(root, 'uilm/de-DE/shop.json'), '{\n  "BUY": "Anders"\n}\n')
    const { found } = await run({ rules: { drift: 'error', unused: 'off' } })
    expect(found).toEqual([
      ['error', 'stale-snapshot', 'uilm/de-DE/shop.json', expect.any(String)],
      ['info', 'drift', undefined, expect.stringContaining('cannot compare with the service')],
    ])
  })

  it('sends no request without the option remote', async () => {
    const { fake, run } = await committed()
    expect((await run({ remote: false })).found).toEqual([])
    expect(fake.requests).toEqual([])
  })
})

describe('paths of the tsconfig', () => {
  it('are followed by check and migrate', async () => {
    const { root, project } = await committed()
    const code = {
      'tsconfig.json':
        '{"compilerOptions": {"paths": {"@/*": ["./src/*"], "texts": ["./src/texts.ts"]}}}',
      'src/texts.ts': `export { A as first, NOPE } from '~uilm/auth'\nexport * as shop from '~uilm/shop'\n`,
      'src/page.ts': `import { first } from '@/texts'\nimport { shop } from 'texts'\nconsole.log(first(), shop.BUY())\n`,
      'src/i18n.ts': `import i18next from 'i18next'\nexport const t = i18next.getFixedT(null, 'auth')\n`,
      'src/late.ts': `import { t } from '@/i18n'\nexport const late = () => t('B')\n`,
    }
    await mkdir(join(root, 'src'))
    for (const [file, text] of Object.entries(code)) await writeFile(join(root, file), text)
    const { findings } = await finish(check({ project, sources: ['src'] }))
    expect(findings.map(({ rule, key }) => `${rule} ${key}`)).toEqual(['unknown NOPE', 'unused C'])
    await finish(migrate({ project, sources: ['src'], write: true }))
    expect(await readFile(join(root, 'src/late.ts'), 'utf8')).toContain(
      'export const late = () => B()',
    )
  })
})
