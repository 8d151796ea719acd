import { defineConfig } from 'tsdown'

interface DevExport {
  readonly source: string
  readonly default: string
}

/** Gives entries their public names, and excludes client credentials from browser bundles. */
function renameEntries(
  {
    './core-entry': core,
    './transport-undici': undici,
    './server': server,
    ...others
  }: Record<string, string | DevExport>,
  { isPublish }: { isPublish: boolean },
) {
  const renamed = Object.entries(others).map(([name, file]) => [
    name.replace('./sessions/', './'),
    file,
  ])
  const serverOnly = (file: string) => ({ workerd: file, browser: null, default: file })
  const built = { types: './dist/server.d.ts', ...serverOnly('./dist/server.js') }
  return {
    ...Object.fromEntries(renamed),
    './core': core,
    './server': isPublish ? built : { source: serverOnly((server as DevExport).source), ...built },
    './undici': undici,
  }
}

export default defineConfig({
  entry: [
    'src/auth.ts',
    'src/control.ts',
    'src/core-entry.ts',
    'src/data.ts',
    'src/environment.ts',
    'src/iam.ts',
    'src/idp.ts',
    'src/index.ts',
    'src/knowledge.ts',
    'src/localization.ts',
    'src/gateway.ts',
    'src/network-fetch.ts',
    'src/network-node.ts',
    'src/opentelemetry.ts',
    'src/proxy.ts',
    'src/server.ts',
    ...['express', 'hono', 'next', 'react', 'solid', 'svelte', 'sveltekit', 'vue'].map(
      (name) => `src/sessions/${name}.ts`,
    ),
    'src/storage.ts',
    'src/testing.ts',
    'src/tools.ts',
    'src/translation.ts',
    'src/transport-undici.ts',
    'src/webhooks.ts',
  ],
  fixedExtension: false,
  dts: true,
  exports: {
    devExports: 'source',
    inlinedDependencies: false,
    // Loaded through "imports" in package.json, which selects one for each runtime.
    exclude: [/^network-/],
    customExports: renameEntries,
  },
  // Bundles no published package.
  deps: { onlyBundle: ['@servicekit/core'] },
})
