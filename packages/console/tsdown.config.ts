import { defineConfig } from 'tsdown'

// The handler; `vite build` writes the pages to dist/site.
export default defineConfig({
  entry: { index: 'src/server/index.ts' },
  fixedExtension: false,
  dts: true,
  // The build of the pages is beside it.
  clean: ['dist/index.*'],
  exports: { devExports: 'source', inlinedDependencies: false },
  deps: { onlyBundle: ['@servicekit/core'] },
})
