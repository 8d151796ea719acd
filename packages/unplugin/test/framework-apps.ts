import type { FrameworkApp } from './framework-app.ts'

/** Sample applications of frameworks that render on a server. */
export const frameworkApps: readonly FrameworkApp[] = [
  {
    name: 'sveltekit',
    folder: 'sveltekit',
    runtime: 'Node 22',
    build: ['node_modules/vite/bin/vite.js', 'build'],
    start: ['build/index.js'],
    dev: ['node_modules/vite/bin/vite.js', 'dev'],
    typeChecks: [['node_modules/svelte-check/bin/svelte-check', '--fail-on-warnings']],
  },
  {
    name: 'astro',
    folder: 'heavy/astro',
    runtime: 'Node 22',
    build: ['node_modules/astro/bin/astro.mjs', 'build'],
    start: ['dist/server/entry.mjs'],
    dev: ['node_modules/astro/bin/astro.mjs', 'dev'],
    typeChecks: [['node_modules/astro/bin/astro.mjs', 'check']],
  },
  {
    name: 'react-router',
    folder: 'heavy/react-router',
    runtime: 'Node 24',
    build: ['node_modules/@react-router/dev/dist/cli/index.js', 'build'],
    start: ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'],
    dev: ['node_modules/@react-router/dev/dist/cli/index.js', 'dev'],
    typeChecks: [
      ['node_modules/@react-router/dev/dist/cli/index.js', 'typegen'],
      ['node_modules/typescript/bin/tsc'],
    ],
  },
  {
    name: 'nuxt',
    folder: 'heavy/nuxt',
    runtime: 'Node 22',
    build: ['node_modules/nuxt/bin/nuxt.mjs', 'build'],
    start: ['.output/server/index.mjs'],
    dev: ['node_modules/nuxt/bin/nuxt.mjs', 'dev'],
    typeChecks: [['node_modules/nuxt/bin/nuxt.mjs', 'typecheck']],
    generatedConfig: '.nuxt/tsconfig.json',
  },
  {
    name: 'solid-start',
    folder: 'heavy/solid-start',
    runtime: 'Node 24',
    build: ['node_modules/vite/bin/vite.js', 'build'],
    start: ['.output/server/index.mjs'],
    dev: ['node_modules/vite/bin/vite.js', 'dev'],
    typeChecks: [['node_modules/typescript/bin/tsc']],
  },
]
