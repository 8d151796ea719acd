import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { run } from './run.ts'

type Options = Parameters<typeof startPlatform>[0]
type Provider = Extract<NonNullable<NonNullable<Options>['suggestions']>, { propose: unknown }>
type Request = Parameters<Provider['propose']>[0]

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
const sources = {
  BUY_BUTTON: 'Buy now',
  GREETING: 'Hello {{name}}',
  HINT: 'Add it to your cart',
  RISKY: 'By all means',
  SAVE: 'Keep it',
  SAVE_ALL: 'Keep it',
}
const translations: Readonly<Record<string, string>> = {
  'Buy now': 'Jetzt kaufen',
  'Hello {{name}}': 'Hallo {{name}}',
  'Add it to your cart': 'In den Einkaufswagen',
  'By all means': 'Unbedingt',
  'Keep it': 'Behalten',
}

let root: string
let platform: StartedPlatform
let control: string
let sent: Request[] = []
let answer: (text: string) => string | undefined

const provider: Provider = {
  name: 'test',
  propose: async (request) => {
    sent.push(request)
    const translation = answer(request.sourceText)
    const confidence = request.sourceText === 'By all means' ? 0.3 : 0.9
    return translation ? [{ translation, confidence, explanation: '', alternatives: [] }] : []
  },
}

async function send(path: string, method: string, body?: unknown): Promise<void> {
  const response = await fetch(control + path, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(response.ok).toBe(true)
}

const drafts = async () =>
  (await (await fetch(`${control}/drafts`)).json()) as {
    key: string
    value: string
    language: string
  }[]

beforeAll(async () => {
  platform = await startPlatform({ projectDir: storefront, port: 0, suggestions: provider })
  control = `${platform.baseUrl}/_platform/projects/${platform.projectKeys[0]}`
  await send('/modules', 'POST', { moduleName: 'fresh' })
  const rows = Object.entries(sources).map(([name, value]) => {
    return { module: 'fresh', key: name, language: 'en-US', value }
  })
  await send('/drafts', 'PUT', rows)
  await send('/publish', 'POST', {})
})
afterAll(() => platform?.close())

beforeEach(async () => {
  vi.stubEnv('CI', '')
  vi.stubEnv('SERVICEKIT_URL', platform.baseUrl)
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', platform.projectKeys[0]!)
  sent = []
  answer = (text) => translations[text]
  root = await mkdtemp(join(tmpdir(), 'servicekit-translate-'))
  expect(await run(['pull', '--root', root])).toMatchObject({ code: 0 })
  return async () => {
    await send('/drafts', 'DELETE')
    await rm(root, { recursive: true, force: true })
  }
})

const translate = (...flags: string[]) =>
  run(['translate', '--root', root, '--modules', 'fresh', '--languages', 'de-DE', ...flags])

it('estimates the cost and sends nothing with --dry-run', async () => {
  const { code, stdout } = await translate('--dry-run')
  expect([code, stdout]).toEqual([
    0,
    'de-DE: 6 missing translations\n5 requests with 59 characters of source text\n',
  ])
  expect(sent).toEqual([])
  expect(await drafts()).toEqual([])
})

it('saves drafts with the glossary and the context, and publishes nothing', async () => {
  const terms = [
    {
      term: 'cart',
      translations: { 'de-DE': 'Warenkorb' },
      forbidden: { 'de-DE': ['Einkaufswagen'] },
    },
  ]
  await writeFile(join(root, 'glossary.json'), JSON.stringify({ terms }))
  const flags = [
    '--glossary',
    'glossary.json',
    '--min-confidence',
    '0.5',
    '--application',
    'Web shop',
  ]
  const { code, stdout, stderr } = await translate(...flags)
  expect(code).toBe(0)
  expect(stdout).toContain('de-DE  fresh BUY_BUTTON: Jetzt kaufen  (90 %)\n')
  expect(stdout).toMatch(
    /^4 drafts written to drafts of project P\w+ at http\S+, 2 skipped, 5 requests$/m,
  )
  expect(stderr.split('\n')).toEqual([
    'de-DE  fresh HINT is not translated: the suggestion contains "Einkaufswagen", which the glossary forbids',
    'de-DE  fresh RISKY is not translated: its confidence 0.3 is below 0.5',
    'Nothing is published. Review the drafts first.',
    '',
  ])
  expect(sent.find(({ sourceText }) => sourceText === 'Buy now')).toMatchObject({
    currentLanguage: 'en-US',
    destinationLanguage: 'de-DE',
    elementType: 'button',
    elementApplicationContext: 'Web shop',
  })
  expect(
    sent.find(({ sourceText }) => sourceText.endsWith('cart'))!.elementDetailContext,
  ).toContain('"cart" is "Warenkorb"; not "Einkaufswagen"')
  expect((await drafts()).map(({ key, value, language }) => [key, language, value])).toEqual([
    ['BUY_BUTTON', 'de-DE', 'Jetzt kaufen'],
    ['GREETING', 'de-DE', 'Hallo {{name}}'],
    ['SAVE', 'de-DE', 'Behalten'],
    ['SAVE_ALL', 'de-DE', 'Behalten'],
  ])
  // The second run finds the drafts, and requests nothing again.
  const again = await translate(...flags)
  expect(again.stdout).toMatch(/^0 drafts written .*, 2 skipped, 0 requests$/m)
})

it('rejects a suggestion with other parameters', async () => {
  answer = (text) => (text === 'Hello {{name}}' ? 'Hallo {{name}} {{vorname}}' : undefined)
  const { stdout, stderr } = await translate()
  expect(stderr).toContain('GREETING is not translated: the ')
  expect(stdout).toMatch(/^0 drafts written/m)
})

it('continues an interrupted run, and writes to a file with --out', async () => {
  const file = join(root, 'drafts.json')
  const first = await translate('--out', file, '--limit', '2')
  expect(first.stdout).toMatch(/, 2 requests$/m)
  const second = await translate('--out', file)
  expect(second.stdout).toMatch(/, 3 requests$/m)
  expect(sent).toHaveLength(5)
  const written = JSON.parse(await readFile(file, 'utf8')) as { key: string; confidence: number }[]
  expect(written.map(({ key, confidence }) => `${key} ${confidence}`).sort()).toEqual([
    'BUY_BUTTON 0.9',
    'GREETING 0.9',
    'HINT 0.9',
    'RISKY 0.3',
    'SAVE 0.9',
    'SAVE_ALL 0.9',
  ])
})

it('rejects unknown languages, modules and numbers', async () => {
  expect((await run(['translate', '--root', root, '--languages', 'de'])).stderr).toContain(
    'Unknown language "de". Known languages: en-US, ar-EG',
  )
  expect((await run(['translate', '--root', root, '--modules', 'fres'])).stderr).toContain(
    'Unknown module "fres". Did you mean "fresh"?',
  )
  expect((await translate('--min-confidence', '80')).stderr).toContain(
    '--min-confidence must be a number from 0 to 1 (received "80")',
  )
  vi.stubEnv('SERVICEKIT_URL', 'https://service.example')
  expect((await translate()).stderr).toContain('Add --out FILE to write them to a file.')
})
