import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    node: 'src/node.ts',
    console: 'src/console.ts',
    'pglite-worker': 'src/pglite-worker.js',
    'build-template': 'src/database/build-template.ts',
  },
  fixedExtension: false,
  copy: ['src/pages', { from: '../console/dist/site', to: 'dist', rename: 'console' }],
  dts: { entry: ['src/index.ts', 'src/node.ts', 'src/console.ts'] },
  exports: { devExports: 'source', exclude: ['pglite-worker', 'build-template'] },
})
