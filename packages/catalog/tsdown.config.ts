import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/inspection.ts', 'src/repack.ts', { config: 'src/config/config.ts' }],
  fixedExtension: false,
  // The compiler writes `dist/commonjs` before.
  clean: ['dist/*.*'],
  // The checked scripts of `runtime` must not replace the declarations of other packages.
  dts: { emitJs: false },
  exports: { devExports: 'source', inlinedDependencies: false },
  // Bundles no published package.
  deps: { onlyBundle: ['@servicekit/core'] },
})
