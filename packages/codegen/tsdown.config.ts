import { defineConfig } from 'tsdown'
import { runtimePlugin } from './runtime-plugin.ts'

export default defineConfig({
  entry: ['src/index.ts', 'src/preset.ts', 'src/loader.ts', 'src/msw.ts', 'src/testing.ts'],
  fixedExtension: false,
  dts: true,
  plugins: [runtimePlugin({ isCompressed: true })],
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
