import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CatalogOptions, openProject, type Project } from '@servicekit/catalog'
import { temporaryFolder } from './folder.ts'
import { fakeService, projectOver } from './translation-service.ts'

/**
 * Creates an application in a folder: pulled translations, their declarations and source
 * files.
 */
export async function application(
  translations: Record<string, unknown>,
  code: Readonly<Record<string, string>>,
  options: CatalogOptions = {},
): Promise<{ readonly root: string; readonly project: Project }> {
  const root = await temporaryFolder()
  await projectOver(fakeService(translations).fetch, { root, ...options }).pull()
  for (const [path, text] of Object.entries(code)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const project = openProject({ root, ...options }, { environment: {} })
  return { root, project }
}
