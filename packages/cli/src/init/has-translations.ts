import { loadConfig } from '@servicekit/catalog/config'
import { hasConfigFile } from './plan.ts'
import { namesIn, type ProjectFacts } from './project-facts.ts'

/** Returns whether there is a snapshot, or a folder that is the source of truth has types. */
export async function hasTranslations(facts: ProjectFacts): Promise<boolean> {
  if (namesIn(facts.configRoot).includes('uilm.lock.json')) return true
  if (!hasConfigFile(facts)) return false
  const { localization } = await loadConfig(facts.configRoot)
  return localization.from !== undefined && namesIn(facts.configRoot).includes('.servicekit')
}
