import { defineConfig } from 'tsdown'

export default defineConfig({
  // Every other file of this folder is the entry of a bundler or a framework.
  entry: ['src/*.ts', '!src/{options,plugin,worker-loader}.ts', 'src/next/loader.ts'],
  fixedExtension: false,
  dts: true,
  exports: {
    devExports: 'source',
    inlinedDependencies: false,
    customExports: (all) => ({
      ...all,
      './Markup.svelte': { svelte: './runtime/Markup.svelte', default: './runtime/Markup.svelte' },
    }),
  },
  // Bundles no published package.
  deps: { onlyBundle: ['@servicekit/core'] },
})
