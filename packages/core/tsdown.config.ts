import { defineConfig } from 'tsdown'

// Built for its declarations: a build can copy those of another package, but not create them.
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'exact-json': 'src/exact-json.ts',
    node: 'src/node/index.ts',
  },
  fixedExtension: false,
  dts: true,
  exports: { devExports: 'source' },
})
