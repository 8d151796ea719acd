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
  copy: [
    'src/pages',
    {
      // Without its source maps, and without its dependency that sends statistics.
      from: [
        'swagger-ui-bundle.js',
        'swagger-ui-bundle.js.LICENSE.txt',
        'swagger-ui.css',
        'LICENSE',
        'NOTICE',
      ].map((name) => `node_modules/swagger-ui-dist/${name}`),
      to: 'dist/swagger-ui',
    },
    { from: '../console/dist/site', to: 'dist', rename: 'console' },
  ],
  dts: { entry: ['src/index.ts', 'src/node.ts', 'src/console.ts'] },
  exports: { devExports: 'source', exclude: ['pglite-worker', 'build-template'] },
})
