import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/eslint.ts'],
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source', inlinedDependencies: false },
  // Bundles no published package.
  deps: { onlyBundle: ['@servicekit/core'] },
})
