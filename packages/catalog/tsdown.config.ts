import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/config.ts', 'src/index.ts', 'src/inspection.ts', 'src/repack.ts'],
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source', inlinedDependencies: false },
  // Bundles no published package.
  deps: { onlyBundle: ['@servicekit/core'] },
})
