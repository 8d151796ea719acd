/**
 * Prints what the bytes of the claim `first-load-5` are, and what other code for the same page
 * would take:
 *
 *     node packages/bench/first-load-parts.mjs
 */
import { launchBrowser } from '@servicekit/testing/browser'
import { emptyApp, servicekitApp } from './lib/first-load/apps.mjs'
import { bundlers } from './lib/first-load/bundlers.mjs'
import { stringsOnlyBytes } from './lib/first-load/measure.mjs'
import { firstLoadParts } from './lib/first-load/parts.mjs'

const browser = await launchBrowser()
try {
  const { parts, variants } = await firstLoadParts(
    browser,
    servicekitApp(bundlers.vite),
    emptyApp(),
  )
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log('| part | bytes |\n| --- | --: |')
  for (const { part, bytes } of [...parts, { part: 'first load', bytes: total }]) {
    console.log(`| ${part} | ${bytes} |`)
  }
  console.log('\n| code of the page | bytes | ratio to the strings |\n| --- | --: | --: |')
  for (const { part, bytes } of variants) {
    console.log(`| ${part} | ${bytes} | ${(bytes / stringsOnlyBytes()).toFixed(2)} |`)
  }
} finally {
  await browser.close()
}
