import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/preset.ts', 'src/loader.ts', 'src/msw.ts'],
  fixedExtension: false,
  dts: true,
  // The compiler writes `dist/runtime` before.
  clean: ['dist/*.*'],
  exports: { devExports: 'source', inlinedDependencies: false },
  // The package has no dependencies: the build copies what it uses of these.
  deps: { onlyBundle: ['@servicekit/client', '@servicekit/contract', '@servicekit/core'] },
  // The declarations keep their comments; the code's are for readers of the sources.
  outputOptions: { comments: false },
  inputOptions: {
    // `deno` selects the client's transport over fetch; that for Node needs undici.
    resolve: { conditionNames: ['deno', 'import', 'default'] },
    // Marks of which source a part of the bundle comes from: a fiftieth of the package.
    experimental: { attachDebugInfo: 'none' },
  },
})
