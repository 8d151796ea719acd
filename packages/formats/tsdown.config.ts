import { defineConfig } from 'tsdown'

// Built for its declarations: a build can copy those of another package, but not create them.
export default defineConfig({
  entry: { index: 'src/index.ts' },
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source', inlinedDependencies: false },
  deps: { onlyBundle: ['@servicekit/core'] },
})
