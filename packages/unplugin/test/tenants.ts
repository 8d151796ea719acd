import { join } from 'node:path'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { type Files, temporaryFolder, writeApp } from './project.ts'

/** Starts the local platform with one project for each tenant. */
export async function startTenants(tenants: Readonly<Record<string, Files>>): Promise<
  StartedPlatform & {
    /** Publishes a translation. */
    readonly publish: (
      tenant: string,
      text: { language: string; module: string; key: string; value: string },
    ) => Promise<void>
    readonly setWebhook: (
      tenant: string,
      webhook: { url: string; headerKey: string; secret: string },
    ) => Promise<void>
  }
> {
  const folders = await Promise.all(
    Object.entries(tenants).map(([tenant, files]) => writeProject(tenant, files)),
  )
  const platform = await startPlatform({ projectDir: folders, port: 0, outgoing: ['loopback'] })
  const put = async (tenant: string, path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${platform.baseUrl}/_platform/projects/${tenant}/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
  }
  return {
    ...platform,
    publish: (tenant, text) => put(tenant, 'texts', [text]),
    setWebhook: (tenant, { url, ...serviceWebhookSecret }) =>
      put(tenant, 'webhook', {
        url,
        contentType: 'application/json',
        serviceWebhookSecret,
        isDisabled: false,
        projectKey: tenant,
      }),
  }
}

/** Writes the folder of a project, whose key is the name of the tenant. */
async function writeProject(tenant: string, files: Files): Promise<string> {
  const folder = await temporaryFolder()
  const places = Object.keys(files).map((place) => place.split('/') as [string, string])
  const codes = [...new Set(places.map(([code]) => code))]
  const modules = [...new Set(places.map(([, module]) => module))]
  const json: Record<string, unknown> = {
    'project.json': { name: tenant, projectKey: tenant },
    'languages.json': codes.map((languageCode, index) => ({
      itemId: `l${index}`,
      languageName: `Language ${languageCode}`,
      languageCode,
      isDefault: index === 0,
    })),
    'modules.json': modules.map((moduleName) => ({ itemId: `m-${moduleName}`, moduleName })),
    ...Object.fromEntries(
      Object.entries(files).map(([place, texts]) => [join('uilm', `${place}.json`), texts]),
    ),
  }
  await writeApp(
    folder,
    Object.fromEntries(Object.entries(json).map(([path, value]) => [path, JSON.stringify(value)])),
  )
  return folder
}
