import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/bin.ts', 'src/index.ts', 'src/vitest.ts', 'src/vitest-setup.ts'],
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source', exclude: ['bin'], inlinedDependencies: false },
  // Sample project of `servicekit dev --sample`, and the page that `servicekit explain` prints.
  copy: [
    { from: '../../fixtures/projects/storefront', to: 'dist', rename: 'sample' },
    { from: '../../docs/guides/troubleshooting.md', to: 'dist' },
  ],
  // Only `init`, `import` and `export` need these: the build copies them into chunks that are loaded
  // on demand.
  deps: {
    onlyBundle: [
      '@servicekit/core',
      '@servicekit/formats',
      '@rgrove/parse-xml',
      'fflate',
      'hucre',
      'papaparse',
      'pofile-ts',
      'properties-file',
      '@babel/parser',
      '@clack/core',
      '@clack/prompts',
      'diff',
      'fast-string-truncated-width',
      'fast-string-width',
      'fast-wrap-ansi',
      'sisteransi',
    ],
  },
})
