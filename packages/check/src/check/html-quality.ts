import type { CheckReport } from './check.ts'
import { escape } from './escape-html.ts'
import { rules } from './finding.ts'
import { qualityRules } from './language-quality.ts'

/**
 * Formats the findings of each language by rule. The numbers are buttons that filter the list of
 * findings.
 */
export function qualityTable({ quality, findings }: CheckReport): string {
  const shown = qualityRules.filter((rule) => findings.some((one) => one.rule === rule))
  if (shown.length === 0) return ''
  const head = shown.map((rule) => `<th scope="col" title="${escape(rules[rule])}">${rule}</th>`)
  const rows = quality.map(({ language, score, problems }) => {
    const name = escape(language)
    const cells = shown.map((rule) => {
      const count = problems[rule] ?? 0
      return count === 0
        ? '<td class="none">0</td>'
        : `<td><button type="button" data-language="${name}" data-rule="${rule}">${count}</button></td>`
    })
    return `<tr><th scope="row">${name}</th><td>${Math.floor(score)} %</td>${cells.join('')}</tr>`
  })
  return `<section>
<h2>Quality</h2>
<p class="legend">Keys without a finding in each language, and the number of findings by rule</p>
<div class="scroll"><table class="quality">
<thead><tr><th></th><th scope="col">without findings</th>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
</section>`
}
