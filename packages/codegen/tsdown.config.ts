import { defineConfig } from 'tsdown'
import { runtimePlugin } from './runtime-plugin.ts'

export default defineConfig({
  entry: ['src/index.ts', 'src/preset.ts', 'src/loader.ts'],
  fixedExtension: false,
  dts: true,
  plugins: [runtimePlugin()],
  exports: { devExports: 'source', inlinedDependencies: false },
  // The declarations keep their comments; the code's are for readers of the sources.
  outputOptions: { comments: false },
  // Marks of which source a part of the bundle comes from: a fiftieth of the package.
  inputOptions: { experimental: { attachDebugInfo: 'none' } },
})
