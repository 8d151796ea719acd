import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/bin.ts', 'src/index.ts'],
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source', exclude: ['bin'] },
  // What `servicekit dev --sample` loads.
  copy: [{ from: '../../fixtures/projects/storefront', to: 'dist', rename: 'sample' }],
  // Nothing of another package may end up in this one.
  deps: { onlyBundle: [] },
})
