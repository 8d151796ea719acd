import { relative, sep } from 'node:path'
import { type Drift, type Project, snapshotPath } from '@servicekit/catalog'
import { RequestError } from '@servicekit/client'
import type { Found } from './catalog-findings.ts'

/** Maximum number of keys named in one message. */
const most = 5

/** Returns the differences between the committed translations and the service. */
export async function driftFindings(project: Project): Promise<readonly Found[]> {
  if (!project.hasSource) {
    return [{ rule: 'drift', severity: 'info', message: 'there is no service to compare with' }]
  }
  try {
    const { root, snapshotDir } = project.options
    const folder = relative(root, snapshotDir).split(sep).join('/')
    return (await project.compare()).map((drift) => findingOf(drift, folder))
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const [reason] = error.message.split('\n')
    const message = `the service could not be asked, and the lock file alone was compared: ${reason}`
    return [{ rule: 'drift', severity: 'info', message }]
  }
}

function findingOf({ language, module, keys, state }: Drift, folder: string): Found {
  const named = keys.slice(0, most).join(', ')
  const more = keys.length > most ? ` and ${keys.length - most} more` : ''
  const messages = {
    changed: `the service has other texts for ${named}${more}`,
    new: 'the service has this file, and it is not committed',
    gone: 'the service has this file no more',
  }
  const message = `${messages[state]}; run \`servicekit pull\``
  const file = `${folder}/${snapshotPath(language, module)}`
  return { rule: 'drift', message, language, module, file }
}
