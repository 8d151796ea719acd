import { join } from 'node:path'
import { type FileEdit, isManual, type ManualEdit, readIn } from '../init/edits.ts'
import { detectFramework } from '../init/frameworks.ts'
import { hasTranslations } from '../init/has-translations.ts'
import { planLanguageSetup } from '../init/language-setup.ts'
import { bundlerLines, planBundler } from '../init/plan.ts'
import type { ProjectFacts } from '../init/project-facts.ts'
import type { Finding } from './finding.ts'

/**
 * Checks that an application whose language needs more than the plugin has the plugin and this code.
 * It looks for what `init` writes.
 */
export async function checkSetup(facts: ProjectFacts): Promise<readonly Finding[]> {
  const framework = detectFramework(facts)
  if (!framework?.language) return []
  const findings: Finding[] = []
  const plugin = await planBundler({
    facts,
    framework,
    isPulled: await hasTranslations(facts),
  })
  // A configuration that is not understood may import the plugin from another file.
  if (plugin && (!isManual(plugin) || plugin.isCertain)) {
    findings.push({
      code: 'PLUGIN_MISSING',
      problem: `${plugin.path} does not use the plugin`,
      where: join(facts.root, plugin.path),
      fix: fixOf(plugin, bundlerLines(framework)),
    })
  }
  const read = (path: string): Promise<string | undefined> => readIn(facts.root, path)
  for (const setup of framework.language) {
    const missing = await planLanguageSetup(setup, { facts, framework, read })
    if (!missing) continue
    const { edit } = missing
    findings.push({
      code: 'LANGUAGE_UNHANDLED',
      problem: `${edit.path} ${setup.problem}`,
      where: join(facts.root, edit.path),
      fix: fixOf(edit, setup.lines),
    })
  }
  return findings
}

function fixOf(edit: FileEdit | ManualEdit, lines: readonly string[]): string {
  return isManual(edit)
    ? `The file cannot be edited: ${edit.reason}. Add ${quoted(edit.lines)}.`
    : `Run "servicekit init", or add ${quoted(lines)}.`
}

const quoted = (lines: readonly string[]): string =>
  lines.map((line) => `\`${line}\``).join(' and ')
