import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emitProgram, writeFiles } from '../src/index.ts'
import { endOf, runChild } from '@servicekit/testing/child-program'
import { temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

const translations = {
  PLAIN: 'Sign in',
  PARAMETER: 'Hello {{name}}',
  PARAMETERS: '{{a}} of {{b}}',
  PLURAL_one: '{{count}} item',
  PLURAL_other: '{{count}} items',
}

/**
 * Counts the functions of the generated modules that run for one call of each message, which
 * is the same on every machine, unlike the time of a call.
 */
const count = (folder: string) => `
  const { Session } = await import('node:inspector/promises')
  const { pathToFileURL } = await import('node:url')
  const address = pathToFileURL(${JSON.stringify(folder)}).href
  let rules = 0
  Intl.PluralRules = class extends Intl.PluralRules {
    constructor(...args) {
      super(...args)
      rules++
    }
  }
  const { PLAIN, PARAMETER, PARAMETERS, PLURAL } = await import(address + '/shop.js')
  const { createLocalizer } = await import(address + '/runtime.js')
  const calls = {
    plain: () => PLAIN(),
    parameter: () => PARAMETER({ name: 'Ada' }),
    parameters: () => PARAMETERS({ a: 1, b: 2 }),
    plural: () => PLURAL({ count: 2 }),
  }
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const functionsOf = async (call) => {
    call()
    await session.post('Profiler.takePreciseCoverage')
    for (let index = 0; index < 1000; index++) call()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => url.startsWith(address))
      .flatMap(({ functions }) => functions.map(({ ranges: [range] }) => range.count))
      .reduce((sum, calls) => sum + calls / 1000, 0)
  }
  const inPage = {}
  for (const [kind, call] of Object.entries(calls)) inPage[kind] = await functionsOf(call)
  const localizer = await createLocalizer('de-DE')
  const onServer = {}
  for (const [kind, call] of Object.entries(calls)) {
    onServer[kind] = await localizer.run(() => functionsOf(call))
  }
  process.stdout.write(JSON.stringify({ inPage, onServer, rules }))`

it('runs as few functions for a message as it can', async () => {
  const root = await temporaryFolder()
  const files = { 'en-US/shop': translations, 'de-DE/shop': translations }
  const project = projectOver(fakeService(files).fetch, { root })
  await project.pull()
  const outDir = join(root, 'messages')
  await writeFiles(emitProgram(await project.load(), { outDir, storageKey: 'language' }))
  const { output, errors } = await endOf(runChild(count(outDir)))
  expect(errors).toBe('')
  expect(JSON.parse(output)).toEqual({
    // The message and its observation by frameworks, its translation, and for a plural form the
    // rules of the current language.
    inPage: { plain: 2, parameter: 3, parameters: 3, plural: 5 },
    // In addition, twice for a plural form, the language of the localizer and its scope.
    onServer: { plain: 4, parameter: 5, parameters: 5, plural: 9 },
    rules: 2,
  })
})
