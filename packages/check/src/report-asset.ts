import { readFileSync } from 'node:fs'

/** Returns a file of `runtime/`, which is part of the HTML report. */
export const reportAsset = (name: 'html-report.css' | 'html-report.js'): string =>
  // This file must stay one level below the package, in src and in dist.
  readFileSync(new URL(`../runtime/${name}`, import.meta.url), 'utf8')
