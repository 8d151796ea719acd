import { runContender } from '../lib/run-contender.mjs'
import { stringsOnlyBytes } from '../lib/first-load/measure.mjs'
import { versionOf } from '../lib/peers.mjs'

/**
 * Cost of the first page: 100 of 1,000 keys, built by vite, loaded by Chromium. Translation
 * bytes are those of all JavaScript and JSON that page one loads, each file compressed with
 * gzip -9, minus those of the same application with calls of an empty function instead of
 * its messages; see `firstLoadBytes`. Leaks are translations, one per key and language, that
 * page one downloads but does not show, counted in a second build in which all translations
 * differ; `leak-ten-pages` is their sum over ten pages with a layout, in ten languages, which share
 * messages. Bytes cannot vary, so one round is enough.
 */
const paraglide = `paraglide ${versionOf('@inlang/paraglide-js')}`
const i18next = `i18next ${versionOf('i18next')}, a JSON file per language`
const bytes = { figure: 'bytes', unit: 'B' }
const five = { ours: 'servicekit 5', peer: 'paraglide 5', peerName: paraglide }
const twenty = { ours: 'servicekit 20', peer: 'paraglide 20', peerName: paraglide }
const leaks = { unit: 'translations', ...five, goal: { max: 0 } }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'first page of an application: 100 of 1,000 keys, with 5 and 20 languages',
  rounds: 1,
  claims: [
    { claim: 'first-load-5', ...bytes, ...five, goal: { max: 2900 } },
    { claim: 'first-load-20', ...bytes, ...twenty, goal: { max: 3200 } },
    {
      claim: 'first-load-5-i18next',
      ...bytes,
      ours: 'servicekit 5',
      peer: 'i18next 5',
      peerName: i18next,
      goal: { maxRatio: 0.1 },
    },
    {
      claim: 'first-load-20-i18next',
      ...bytes,
      ours: 'servicekit 20',
      peer: 'i18next 20',
      peerName: i18next,
      goal: { maxRatio: 0.1 },
    },
    {
      claim: 'first-load-5-floor',
      ...bytes,
      ours: 'servicekit 5',
      peer: 'strings',
      peerName: 'strings only',
      goal: { maxRatio: 2 },
    },
    { claim: 'leak-languages', figure: 'languages', ...leaks },
    { claim: 'leak-unused', figure: 'unused', ...leaks },
    { claim: 'leak-pages', figure: 'pages', ...leaks },
    { claim: 'leak-ten-pages', figure: 'tenPages', ...leaks },
  ],
  async prepare() {
    const built = ['servicekit', 'paraglide', 'i18next'].flatMap((app) =>
      [5, 20].map((languages) => [
        `${app} ${languages}`,
        // Leaks are counted only for five languages: the other four are the ones that
        // could leak.
        async () =>
          (await runContender('first-load', { app, languages, leaks: languages === 5 })).result,
      ]),
    )
    return { ...Object.fromEntries(built), strings: async () => ({ bytes: stringsOnlyBytes() }) }
  },
}
