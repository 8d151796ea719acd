import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/bin.ts', 'src/index.ts'],
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source', exclude: ['bin'], inlinedDependencies: false },
  // Sample project of `servicekit dev --sample`.
  copy: [{ from: '../../fixtures/projects/storefront', to: 'dist', rename: 'sample' }],
  // Bundles no published package.
  deps: { onlyBundle: ['@servicekit/core'] },
})
