import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/limits.ts', 'src/loopback.ts', 'src/openapi.ts', 'src/routes.ts'],
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source' },
  // Nothing of another package may end up in this one.
  deps: { onlyBundle: [] },
})
