import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/control.ts',
    'src/limits.ts',
    'src/openapi.ts',
    'src/output-options.ts',
    'src/routes.ts',
    'src/service.ts',
  ],
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source', inlinedDependencies: false },
  // Bundles no published package.
  deps: { onlyBundle: ['@servicekit/core'] },
})
