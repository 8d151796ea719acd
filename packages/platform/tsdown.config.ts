import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    node: 'src/node.ts',
    'pglite-worker': 'src/pglite-worker.js',
    'build-template': 'src/database/build-template.ts',
  },
  fixedExtension: false,
  copy: ['src/pages'],
  dts: { entry: ['src/index.ts', 'src/node.ts'] },
  exports: { devExports: 'source', exclude: ['pglite-worker', 'build-template'] },
})
