import { defineConfig } from 'tsdown'

const bundlers = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild']

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/next.ts',
    'src/next/loader.ts',
    'src/astro.ts',
    'src/nuxt.ts',
    ...bundlers.map((name) => `src/${name}.ts`),
  ],
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
