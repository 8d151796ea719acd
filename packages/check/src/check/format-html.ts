import type { Rule } from '@servicekit/catalog'
import type { CheckReport } from './check.ts'
import { percentOf } from './coverage.ts'
import { escape } from './escape-html.ts'
import { type Finding, rules } from './finding.ts'
import { reportAsset } from '../report-asset.ts'
import { qualityTable } from './html-quality.ts'

/** Maximum number of rows in the page; browsers become slow with more. */
const most = 5000

/**
 * Formats the report as a self-contained HTML page with a heat map of the coverage and a
 * searchable list of findings.
 */
export function formatHtml(report: CheckReport, { title = 'Translations' } = {}): string {
  const shown = report.findings.slice(0, most)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>${reportAsset('html-report.css')}</style>
<header>
<h1>${escape(title)}</h1>
<p class="verdict ${report.ok ? 'good' : 'bad'}">${report.ok ? 'No errors' : 'Errors were found'}</p>
</header>
<main>
${cards(report)}
${heatMap(report)}
${qualityTable(report)}
${findingsTable(report.findings, shown)}
</main>
<script>${reportAsset('html-report.js')}</script>
</html>
`
}

function cards({ findings, coverage, usages, files, known }: CheckReport): string {
  const count = (severity: Finding['severity']): number =>
    findings.filter((one) => one.severity === severity).length
  const keys = coverage.totals.reduce((sum, one) => sum + one, 0)
  const all: readonly (readonly [string, string | number, string])[] = [
    ['Errors', count('error'), count('error') > 0 ? 'error' : ''],
    ['Warnings', count('warning'), count('warning') > 0 ? 'warning' : ''],
    ['Keys', keys, ''],
    ['Languages', coverage.languages.length, ''],
    ['Usages', usages, ''],
    ['Files', files, ''],
    ...(known > 0 ? [['In the baseline', known, ''] as const] : []),
  ]
  const cells = all.map(
    ([name, value, kind]) =>
      `<div class="card ${kind}"><dt>${name}</dt><dd>${Number(value).toLocaleString('en')}</dd></div>`,
  )
  return `<dl class="cards">${cells.join('')}</dl>`
}

function heatMap({ coverage }: CheckReport): string {
  const { languages, modules, totals, translated } = coverage
  const head = modules
    .map(
      (name, index) =>
        `<th scope="col"><div title="${escape(name)}"><span>${escape(name)}</span><small>${totals[index]}</small></div></th>`,
    )
    .join('')
  const rows = languages.map((language, row) => {
    const cells = modules.map((module, column) => {
      const [done, total] = [translated[row]![column]!, totals[column]!]
      return cell(done, total, `${language} · ${module}`)
    })
    const sum = translated[row]!.reduce((before, one) => before + one, 0)
    const total = totals.reduce((before, one) => before + one, 0)
    return `<tr><th scope="row">${escape(language)}</th>${cell(sum, total, `${language} · all modules`, percentOf(coverage, row))}${cells.join('')}</tr>`
  })
  return `<section>
<h2>Coverage</h2>
<p class="legend">Share of the keys of each module that are translated
<span class="scale"><i class="c0"></i><i class="c1"></i><i class="c2"></i><i class="c3"></i><i class="c4"></i><i class="c5"></i></span>
<span>0 % to 100 %</span></p>
<div class="scroll"><table class="map">
<thead><tr><th></th><th scope="col"><div><span>all</span><small>${totals.reduce((sum, one) => sum + one, 0)}</small></div></th>${head}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
</section>`
}

function cell(done: number, total: number, where: string, share?: number): string {
  if (total === 0) return '<td class="none" title="no keys">–</td>'
  const percent = share ?? (100 * done) / total
  // Round down, so that 100 means complete.
  const shown = Math.floor(percent)
  const level =
    done === total
      ? 5
      : percent >= 90
        ? 4
        : percent >= 70
          ? 3
          : percent >= 40
            ? 2
            : percent > 0
              ? 1
              : 0
  return `<td class="c${level}" title="${escape(where)}: ${done} of ${total}">${shown}</td>`
}

function findingsTable(all: readonly Finding[], shown: readonly Finding[]): string {
  if (all.length === 0)
    return '<section><h2>Findings</h2><p class="empty">Nothing to report.</p></section>'
  const counts = new Map<Rule, number>()
  for (const { rule } of all) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  const filters = [...counts].map(
    ([rule, count]) =>
      `<button type="button" data-rule="${rule}" aria-pressed="false" title="${escape(rules[rule])}">${rule} <b>${count}</b></button>`,
  )
  const rows = shown.map(
    ({ rule, severity, module, key, language, message, file, line, column }) => {
      const location =
        file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}:${column ?? 1}`}`
      return `<tr data-rule="${rule}" data-language="${escape(language ?? '')}"><td><span class="tag ${severity}">${severity}</span></td><td>${rule}</td><td>${escape(module ?? '')}</td><td class="key">${escape(key ?? '')}</td><td>${escape(language ?? '')}</td><td>${escape(message)}</td><td class="location">${escape(location)}</td></tr>`
    },
  )
  const rest = all.length - shown.length
  return `<section>
<h2>Findings</h2>
<div class="filters"><input type="search" placeholder="Search key, file, text" aria-label="Search findings">${filters.join('')}</div>
<div class="scroll"><table class="findings">
<thead><tr><th scope="col">Severity</th><th scope="col">Rule</th><th scope="col">Module</th><th scope="col">Key</th><th scope="col">Language</th><th scope="col">Message</th><th scope="col">Location</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
${rest > 0 ? `<p class="empty">and ${rest} more, in the other formats</p>` : ''}
<p class="empty" id="none" hidden>No finding matches.</p>
</section>`
}
