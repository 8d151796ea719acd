import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  check,
  type CheckOptions,
  finish,
  formatGithub,
  formatHtml,
  formatJson,
  formatSarif,
  formatText,
} from '../src/index.ts'
import { application } from '@servicekit/testing/application'
import { invisible } from '@servicekit/testing/characters'
import { temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

const texts = {
  'en-US/auth': {
    SIGN_IN: 'Sign in',
    SIGN_OUT: 'Sign out',
    WELCOME: 'Hello {{name}}',
    ITEMS_one: '{{count}} item',
    ITEMS_other: '{{count}} items',
    OLD: 'Nobody asks for <this> & that',
  },
  'en-US/errors': { E1: 'One', E2: 'Two' },
  'pl-PL/auth': {
    SIGN_IN: 'Zaloguj',
    SIGN_OUT: '',
    WELCOME: 'Witaj {{imie}}',
    ITEMS_one: '{{count}} rzecz',
    ITEMS_other: '{{count}} rzeczy',
  },
  'pl-PL/errors': { E1: 'Jeden', E2: 'Dwa' },
}

const code = {
  'src/app.tsx': `import { SIGN_IN, SIGN_OUT, WELCOME, ITEMS, SIGN_UP } from '~uilm/auth'
import * as errors from '~uilm/errors'
export const App = ({ code }) => (
  <p title={SIGN_IN()} onClick={SIGN_OUT}>
    {WELCOME({})} {ITEMS({ count: 1 })} {errors[code]()}
  </p>
)
`,
  'node_modules/x/index.js': `import { NOT_READ } from '~uilm/auth'`,
}

async function run(options: Partial<CheckOptions> = {}) {
  const { root, project } = await application(texts, code)
  await project.writeTypes(await project.load())
  const again = (more: Partial<CheckOptions> = {}) =>
    finish(check({ project, ...options, ...more }))
  return { root, project, again, report: await again() }
}

describe('check', () => {
  it('reports each problem at its position, and nothing else', async () => {
    const { report } = await run()
    const lines = report.findings.map(
      ({ severity, rule, module, key, language, file, line, column, message }) =>
        `${severity} ${rule} ${[module, key, language].filter(Boolean).join(' ')} @ ${file}:${line}:${column} ${message}`,
    )
    expect(lines).toMatchInlineSnapshot(`
      [
        "error parameter auth WELCOME @ src/app.tsx:5:6 is called without name",
        "error parameter auth WELCOME pl-PL @ uilm/pl-PL/auth.json:6:3 omits the parameter name: pl-PL "Witaj {{imie}}", en-US "Hello {{name}}"",
        "error parameter auth WELCOME pl-PL @ uilm/pl-PL/auth.json:6:3 uses the unknown parameter imie; its fallback is shown: pl-PL "Witaj {{imie}}", en-US "Hello {{name}}"",
        "error unknown auth SIGN_UP @ src/app.tsx:1:45 key SIGN_UP does not exist in auth",
        "warning missing auth OLD pl-PL @ uilm/en-US/auth.json:4:3 is not translated; en-US is used instead",
        "warning plural auth ITEMS pl-PL @ uilm/pl-PL/auth.json:3:3 has no plural form few, many; the form other is used",
        "warning untranslated auth SIGN_OUT pl-PL @ uilm/pl-PL/auth.json:5:3 is not translated; en-US is used instead",
        "warning unused auth OLD @ uilm/en-US/auth.json:4:3 is not used",
        "info dynamic errors @ src/app.tsx:5:42 may use any message of errors, so that none is reported as unused",
      ]
    `)
    expect(report).toMatchObject({ ok: false, files: 1, known: 0, fixed: 0 })
    expect(report.coverage).toEqual({
      languages: ['en-US', 'pl-PL'],
      modules: ['auth', 'errors'],
      totals: [5, 2],
      translated: [
        [5, 2],
        [3, 2],
      ],
    })
  })

  it('reports a key that appears as a string as mentioned, with the position', async () => {
    const keys = ['PLAIN', 'QUOTED', 'HALF_one', 'HALF_other', "It's \\ here", 'NOWHERE', 'split']
    const { project } = await application(
      { 'en-US/auth': Object.fromEntries(keys.map((key) => [key, key])) },
      {
        'src/keys.ts': `// don't
export const keys = { a: 'PLAIN', b: \`auth:QUOTED\` }
export const more = ["HALF", 'It\\'s \\\\ here', NOWHERE, 'spl', 'it']
`,
      },
    )
    const { findings } = await finish(check({ project, rules: { plural: 'off' } }))
    expect(
      findings.map(({ severity, rule, key, message }) => [severity, rule, key, message]),
    ).toEqual([
      ['warning', 'unused', 'NOWHERE', 'is not used'],
      ['warning', 'unused', 'split', 'is not used'],
      ...[
        ['HALF', 3],
        ["It's \\ here", 3],
        ['PLAIN', 2],
        ['QUOTED', 2],
      ].map(([key, line]) => [
        'info',
        'mentioned',
        key,
        `has no known usage, but appears as a string in src/keys.ts:${line}`,
      ]),
    ])
  })

  it('reports labels that the translations lack, with their texts', async () => {
    const labels = { E1: 'One', ORDER__TOTAL: 'Total' }
    const { root, project } = await application(
      { ...texts, 'en-US/labels': { E1: 'One' }, 'pl-PL/labels': { E1: 'Jeden' } },
      code,
    )
    const file = join(root, 'gateway.labels.json')
    await writeFile(file, JSON.stringify(labels, null, 2))
    const report = await finish(check({ project, labels: 'gateway.labels.json' }))
    expect(report.findings.filter((one) => one.file === 'gateway.labels.json')).toEqual([
      {
        rule: 'missing',
        severity: 'warning',
        message: 'does not exist in the module labels; its text is "Total"',
        module: 'labels',
        key: 'ORDER__TOTAL',
        file: 'gateway.labels.json',
        line: 3,
      },
    ])
    const none = await finish(check({ project, labels: 'none.labels.json' }))
    expect(none.findings.filter(({ module }) => module === 'labels')).toEqual([
      expect.objectContaining({ rule: 'unused', key: 'E1' }),
    ])
  })

  it('reports its steps', async () => {
    const { project } = await run()
    const steps: string[] = []
    for await (const { step } of check({ project })) steps.push(step)
    expect(steps).toEqual(['translations', 'code', 'types'])
  })

  it('compares each language with its threshold', async () => {
    const { again } = await run()
    const found = async (thresholds: NonNullable<CheckOptions['thresholds']>) =>
      (await again({ thresholds })).findings
        .filter(({ rule }) => rule === 'threshold')
        .map(({ language, message }) => `${language} ${message}`)
    expect(await found(100)).toEqual(['pl-PL is 71.4 % translated; the threshold is 100 %'])
    expect(await found({ 'pl-PL': 71 })).toEqual([])
    await expect(found({ 'de-DE': 1 })).rejects.toThrow('Unknown threshold language "de-DE"')
  })

  it('applies the configured severities', async () => {
    const { again } = await run()
    const report = await again({ rules: { unknown: 'info', parameter: 'off' } })
    expect(report.ok).toBe(true)
    expect(report.counts).not.toHaveProperty('parameter')
    await expect(again({ rules: { unnown: 'off' } as never })).rejects.toThrow(
      'Unknown rule "unnown". Did you mean "unknown"?',
    )
  })

  it('ignores findings of the baseline and counts fixed ones', async () => {
    const { root, again } = await run()
    const baseline = 'check-baseline.json'
    const first = await again({ baseline, updateBaseline: true })
    expect(first).toMatchObject({ ok: true, findings: [], fixed: 0 })
    const saved = await readFile(join(root, baseline), 'utf8')
    expect(await again({ baseline })).toMatchObject({ ok: true, findings: [], known: first.known })
    // Lines move, and one usage is fixed while another breaks.
    const file = join(root, 'src/app.tsx')
    const text = (await readFile(file, 'utf8')).replace('WELCOME({})', "WELCOME({ name: '' })")
    await writeFile(file, `\n\n${text}\nexport { GONE } from '~uilm/auth'\n`)
    const later = await again({ baseline })
    expect(later.findings.map(({ key, line }) => [key, line])).toEqual([['GONE', 11]])
    expect(later.fixed).toBe(1)
    expect(await readFile(join(root, baseline), 'utf8')).toBe(saved)
    await writeFile(join(root, baseline), '{')
    await expect(again({ baseline })).rejects.toThrow('Cannot read the baseline')
  })

  it('reports edited translations and outdated types', async () => {
    const { root, again } = await run()
    const file = join(root, 'uilm/pl-PL/errors.json')
    await writeFile(file, '{\n  "E1": "Inaczej",\n  "E2": "Dwa"\n}\n')
    await appendFile(join(root, '.servicekit/types/uilm/auth.d.ts'), '// edited\n')
    const { findings } = await again()
    const stale = findings.filter(({ rule }) => rule.startsWith('stale'))
    expect(stale.map(({ rule, file }) => `${rule} ${file}`)).toEqual([
      'stale-snapshot uilm/pl-PL/errors.json',
      'stale-types .servicekit/types/uilm/auth.d.ts',
      // Hover text shows two languages.
      'stale-types .servicekit/types/uilm/errors.d.ts',
    ])
  })

  it('rejects committed modules with the same file name', async () => {
    const { root, project } = await application(texts, code)
    const rules = { unused: 'off' } as const
    await finish(check({ project, rules }))
    // On a case-insensitive file system both modules would share a file.
    const lock = join(root, 'uilm.lock.json')
    await writeFile(lock, (await readFile(lock, 'utf8')).replaceAll('"errors"', '"Auth"'))
    await expect(finish(check({ project, rules }))).rejects.toThrow(
      '"auth" and "Auth" have the same file name',
    )
  })
})

describe('a report', () => {
  it('is formatted as text', async () => {
    const { report } = await run({ thresholds: { 'pl-PL': 90 } })
    expect(formatText(report)).toMatchInlineSnapshot(`
      "(project)
                error   threshold    (pl-PL): is 71.4 % translated; the threshold is 90 %

      src/app.tsx
        1:45    error   unknown      auth SIGN_UP: key SIGN_UP does not exist in auth
        5:6     error   parameter    auth WELCOME: is called without name
        5:42    info    dynamic      errors: may use any message of errors, so that none is reported as unused

      uilm/en-US/auth.json
        4:3     warning missing      auth OLD (pl-PL): is not translated; en-US is used instead
        4:3     warning unused       auth OLD: is not used

      uilm/pl-PL/auth.json
        3:3     warning plural       auth ITEMS (pl-PL): has no plural form few, many; the form other is used
        5:3     warning untranslated auth SIGN_OUT (pl-PL): is not translated; en-US is used instead
        6:3     error   parameter    auth WELCOME (pl-PL): omits the parameter name: pl-PL "Witaj {{imie}}", en-US "Hello {{name}}"
        6:3     error   parameter    auth WELCOME (pl-PL): uses the unknown parameter imie; its fallback is shown: pl-PL "Witaj {{imie}}", en-US "Hello {{name}}"

      language  translated
      en-US     ████████████████████ 100.0 %  7/7
      pl-PL     ██████████████░░░░░░  71.4 %  5/7  2 parameter, 1 missing, 1 plural, 1 untranslated

      5 errors, 4 warnings, 1 note; 5 usages in 1 file
      "
    `)
    expect(formatText(report, { limit: 1 })).toContain(`and ${report.findings.length - 1} more`)
  })

  it('is formatted as JSON, SARIF and GitHub annotations', async () => {
    const { report } = await run()
    expect(JSON.parse(formatJson(report))).toEqual(report)
    const sarif = JSON.parse(formatSarif(report, { version: '1.2.3' })) as {
      version: string
      runs: {
        tool: { driver: { version: string; rules: { id: string }[] } }
        results: { ruleId: string; ruleIndex: number; level: string; locations: object[] }[]
      }[]
    }
    expect(sarif.version).toBe('2.1.0')
    const [{ tool, results } = { tool: undefined, results: [] }] = sarif.runs
    expect(tool?.driver.version).toBe('1.2.3')
    expect(results).toHaveLength(report.findings.length)
    for (const { ruleId, ruleIndex } of results)
      expect(tool?.driver.rules[ruleIndex]?.id).toBe(ruleId)
    expect(results[0]!.locations[0]).toEqual({
      physicalLocation: {
        artifactLocation: { uri: report.findings[0]!.file },
        region: { startLine: report.findings[0]!.line, startColumn: report.findings[0]!.column },
      },
    })
    const annotations = formatGithub({
      ...report,
      findings: [
        {
          rule: 'unknown',
          severity: 'error',
          message: '100%\nno: "x"',
          file: 'a,b:c.ts',
          line: 3,
          column: 7,
        },
        { rule: 'threshold', severity: 'warning', message: 'm', language: 'pl-PL' },
      ],
    })
    expect(annotations).toBe(
      '::error file=a%2Cb%3Ac.ts,line=3,col=7,title=unknown::100%25%0Ano: "x"\n' +
        '::warning title=threshold::(pl-PL): m\n',
    )
  })

  it('is a self-contained page that executes no code of a key', async () => {
    const { report } = await run()
    const page = formatHtml({
      ...report,
      findings: [
        ...report.findings,
        {
          rule: 'unused',
          severity: 'warning',
          message: '<script>x</script>',
          key: '"><img src=x>',
        },
      ],
    })
    expect(page).not.toMatch(/<(?:img|link)\b|src=["']?http|url\(/)
    expect(page.match(/<script>/g)).toHaveLength(1)
    expect(page).toContain('title="pl-PL · auth: 3 of 5">60</td>')
  })
})

describe.skipIf(isBrowserMissing())('the page', () => {
  it('filters findings by rule and by search text', async () => {
    const { root, report } = await run()
    const file = join(root, 'report.html')
    await writeFile(file, formatHtml(report))
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    const keys = () => page.locator('.findings tbody tr:visible td.key').allInnerTexts()
    expect(await keys()).toEqual(report.findings.map(({ key }) => key ?? ''))
    await page.getByRole('button', { name: /^unknown/ }).click()
    expect(await keys()).toEqual(['SIGN_UP'])
    await page.getByRole('button', { name: /^unused/ }).click()
    expect(await keys()).toEqual(['SIGN_UP', 'OLD'])
    await page.getByRole('searchbox').fill('app.tsx')
    expect(await keys()).toEqual(['SIGN_UP'])
    await page.getByRole('searchbox').fill('nothing like it')
    expect(await page.getByText('No finding matches.').isVisible()).toBe(true)
    expect(requests).toEqual([pathToFileURL(file).href])
  })
})

it('writes no raw control or bidirectional character to the HTML report', async () => {
  const all = invisible.join('')
  const files = { 'en-US/m': { [`A${all}`]: `x${all}`, B: 'b' }, 'de-DE/m': { B: '{{q}}' } }
  const root = await temporaryFolder()
  const project = projectOver(fakeService(files).fetch, { root })
  await project.pull()
  const html = formatHtml(await finish(check({ project })), { title: `t${all}` })
  expect(html).toContain(String.raw`A\u0000\u0001`)
  expect(html).toContain(String.raw`\u202e`)
  expect(html.replaceAll('\n', '')).not.toMatch(new RegExp(`[${all.replace('\n', '')}]`))
})

it('reports a key that is known only at run time once, however many modules it may be in', async () => {
  const { project } = await application(
    { 'en-US/a': { A: 'a' }, 'en-US/b': { B: 'b' }, 'en-US/c': { C: 'c' } },
    {
      'src/page.jsx': `import { useTranslation } from 'react-i18next'
export function Page({ name }) {
  const { t } = useTranslation()
  return t(name)
}
`,
    },
  )
  const report = await finish(check({ project, sources: ['src'] }))
  const dynamic = report.findings.filter(({ rule }) => rule === 'dynamic')
  expect(dynamic).toEqual([
    {
      rule: 'dynamic',
      severity: 'info',
      message: 'may use any message of 3 modules, so that none is reported as unused',
      file: 'src/page.jsx',
      line: 4,
      column: 10,
    },
  ])
})
