import { relative, sep } from 'node:path'
import { type Drift, type Project, snapshotPath } from '@servicekit/catalog'
import { RequestError } from '@servicekit/client'
import type { UnratedFinding } from './catalog-findings.ts'

/** Maximum number of keys named in one message. */
const most = 5

/** Returns the differences between the committed translations and the service. */
export async function driftFindings(project: Project): Promise<readonly UnratedFinding[]> {
  if (!project.hasSource) {
    return [
      { rule: 'drift', severity: 'info', message: 'no service is configured to compare with' },
    ]
  }
  try {
    const { root, snapshotDir } = project.options
    const folder = relative(root, snapshotDir).split(sep).join('/')
    return (await project.compare()).map((drift) => findingOf(drift, folder))
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const [reason] = error.message.split('\n')
    const message = `cannot compare with the service: ${reason}`
    return [{ rule: 'drift', severity: 'info', message }]
  }
}

function findingOf({ language, module, keys, state }: Drift, folder: string): UnratedFinding {
  const named = keys.slice(0, most).join(', ')
  const more = keys.length > most ? ` and ${keys.length - most} more` : ''
  const messages = {
    changed: `the service has different translations for ${named}${more}`,
    added: 'the service has this file, but it is not committed',
    removed: 'the service no longer has this file',
  }
  const message = `${messages[state]}; run \`servicekit pull\``
  const file = `${folder}/${snapshotPath(language, module)}`
  return { rule: 'drift', message, language, module, file }
}
