import { join } from 'node:path'
import { browserPages } from './browser-pages.mjs'
import { astroFiles, astroManifest, reactRouterFiles } from './framework-files.mjs'
import { manifest } from './manifest.mjs'
import { programs } from './programs.mjs'
import { servers } from './servers.mjs'

/**
 * Projects that `scaffolds.slow.test.mjs` creates and sets up: by the commands that
 * docs/getting-started.md prints, or from the minimal files that their own documentation
 * names.
 *
 * @typedef {object} Scaffold
 * @property {string} name
 * @property {'Node 20' | 'Node 24'} node oldest of the tested versions that it supports
 * @property {string} [guide] tab of docs/getting-started.md whose commands are run; otherwise
 *   init gets a service
 * @property {Readonly<Record<string, string>>} [files] files of a project without scaffolder
 * @property {string} [start] command that serves the page, or runs the program
 * @property {readonly string[]} [prints] texts that the program prints, if there is no page
 * @property {string} [check] type check
 * @property {import('./servers.mjs').Application} [application] what its build shows
 * @property {readonly string[]} [shows] packages whose versions the table of results names
 * @property {Readonly<Record<string, string>>} [env] environment variables
 * @property {string} [create] command that creates the folder `shop`, if no tab has it
 * @property {boolean} [hasNoBuild] runs as it is
 * @property {boolean} [isQuick] runs in `npm run test:all`; the others in `npm run test:deep`
 */

/** @type {readonly Scaffold[]} */
export const scaffolds = [
  {
    name: 'vite-react',
    node: 'Node 20',
    guide: 'React',
    check: 'npx tsc -b',
    application: browserPages.react,
    shows: ['vite', 'react'],
    isQuick: true,
  },
  {
    name: 'vite-react-compiler',
    node: 'Node 20',
    create: 'npm create vite@latest shop -- --template react-compiler-ts --no-interactive',
    start: 'npm run dev',
    check: 'npx tsc -b',
    application: browserPages.react,
    shows: ['vite', 'react', 'babel-plugin-react-compiler'],
  },
  {
    name: 'vite-vue',
    node: 'Node 20',
    guide: 'Vue',
    check: 'npx vue-tsc -b',
    application: browserPages.vue,
    shows: ['vite', 'vue'],
    isQuick: true,
  },
  {
    name: 'vite-svelte',
    node: 'Node 20',
    guide: 'Svelte',
    check: 'npm run check',
    application: browserPages.svelte,
    shows: ['vite', 'svelte'],
  },
  {
    name: 'vite-solid',
    node: 'Node 20',
    guide: 'Solid',
    check: 'npx tsc -b',
    application: browserPages.solid,
    shows: ['vite', 'solid-js'],
  },
  {
    name: 'next',
    node: 'Node 20',
    guide: 'Next.js',
    check: 'npx tsc --noEmit',
    application: servers.next,
    shows: ['next', 'react'],
  },
  {
    name: 'next-default',
    node: 'Node 20',
    create: 'npx create-next-app@latest shop --yes',
    env: { NEXT_FONT_GOOGLE_MOCKED_RESPONSES: join(import.meta.dirname, 'google-fonts.cjs') },
    start: 'npm run dev',
    check: 'npx tsc --noEmit',
    application: servers.next,
    shows: ['next', 'react'],
  },
  {
    name: 'sveltekit',
    node: 'Node 24',
    guide: 'SvelteKit',
    check: 'npm run check',
    application: servers.sveltekit,
    shows: ['@sveltejs/kit', 'svelte'],
    isQuick: true,
  },
  {
    name: 'angular',
    node: 'Node 24',
    guide: 'Angular',
    check: 'npx tsc -p tsconfig.app.json --noEmit',
  },
  {
    name: 'astro',
    node: 'Node 24',
    files: astroFiles,
    start: 'npm run dev',
    check: 'npx astro check',
  },
  {
    name: 'astro-server',
    node: 'Node 24',
    files: {
      ...astroFiles,
      'package.json': astroManifest({ '@astrojs/node': 'latest' }),
      'astro.config.mjs':
        "// @ts-check\nimport node from '@astrojs/node';\nimport { defineConfig } from 'astro/config';\n\nexport default defineConfig({\n  output: 'server',\n  adapter: node({ mode: 'standalone' }),\n});\n",
    },
    start: 'npm run dev',
    check: 'npx astro check',
    application: servers.astro,
    shows: ['astro'],
  },
  {
    name: 'nuxt',
    node: 'Node 24',
    files: {
      'package.json': manifest(
        { dev: 'nuxt dev', build: 'nuxt build', postinstall: 'nuxt prepare' },
        {
          nuxt: 'latest',
          vue: 'latest',
          'vue-router': 'latest',
          'vue-tsc': 'latest',
          typescript: '^6.0.0',
        },
        // Nuxt 4.5.2 itself cannot be built with Vite 8.4.0.
        { type: 'module', overrides: { vite: '~8.3.0' } },
      ),
      'nuxt.config.ts':
        "// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  compatibilityDate: '2026-01-01',\n  devtools: { enabled: false },\n  telemetry: false\n})\n",
      'tsconfig.json': `{
  // https://nuxt.com/docs/guide/concepts/typescript
  "files": [],
  "references": [
    { "path": "./.nuxt/tsconfig.app.json" },
    { "path": "./.nuxt/tsconfig.server.json" },
    { "path": "./.nuxt/tsconfig.shared.json" },
    { "path": "./.nuxt/tsconfig.node.json" }
  ]
}
`,
      '.gitignore': '.output\n.nuxt\nnode_modules\n',
      'app/app.vue': '<template>\n  <NuxtPage />\n</template>\n',
      'app/pages/index.vue': '<template>\n  <div>\n    <h1>Nuxt</h1>\n  </div>\n</template>\n',
    },
    start: 'npm run dev',
    check: 'npx nuxt typecheck',
    application: servers.nuxt,
    shows: ['nuxt', 'vue'],
  },
  {
    name: 'react-router',
    node: 'Node 24',
    files: reactRouterFiles('8.4.0'),
    start: 'npm run dev',
    check: 'npm run typecheck',
    application: servers.reactRouter,
    shows: ['react-router', 'react'],
  },
  {
    name: 'react-router-7',
    node: 'Node 24',
    files: reactRouterFiles('7.18.4'),
    start: 'npm run dev',
    check: 'npm run typecheck',
    application: servers.reactRouter,
    shows: ['react-router', 'react'],
  },
  {
    name: 'solid-start',
    node: 'Node 24',
    files: {
      'package.json': manifest(
        { dev: 'vite dev', build: 'vite build' },
        {
          '@solidjs/router': '1.0.0',
          '@solidjs/start': '2.0.5',
          nitro: '3.0.260903-beta',
          'solid-js': '^1.9.19',
          typescript: '^6.0.0',
          vite: '^8',
        },
      ),
      'vite.config.ts':
        'import { solidStart } from "@solidjs/start/config";\nimport { nitro } from "nitro/vite";\nimport { defineConfig } from "vite";\n\nexport default defineConfig({\n  plugins: [solidStart(), nitro()],\n});\n',
      'tsconfig.json': `{
  "compilerOptions": {
    "target": "ESNext",
    "lib": ["ESNext", "DOM", "DOM.Iterable"],
    "module": "ESNext",
    "moduleResolution": "bundler",
    "jsx": "preserve",
    "jsxImportSource": "solid-js",
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true,
    "isolatedModules": true,
    "types": ["vite/client", "@solidjs/start/env"]
  },
  "include": ["src"]
}
`,
      '.gitignore': 'node_modules\n.output\n.nitro\n',
      'src/app.tsx': `import { Router } from "@solidjs/router";
import { FileRoutes } from "@solidjs/start/router";
import { Suspense } from "solid-js";

export default function App() {
  return (
    <Router root={(props) => <Suspense>{props.children}</Suspense>}>
      <FileRoutes />
    </Router>
  );
}
`,
      'src/entry-client.tsx': `import { mount, StartClient } from "@solidjs/start/client";

mount(() => <StartClient />, document.getElementById("app")!);
`,
      'src/entry-server.tsx': `import { createHandler, StartServer } from "@solidjs/start/server";

export default createHandler(() => (
  <StartServer
    document={({ assets, children, scripts }) => (
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <link rel="icon" href="data:," />
          {assets}
        </head>
        <body>
          <div id="app">{children}</div>
          {scripts}
        </body>
      </html>
    )}
  />
));
`,
      'src/routes/index.tsx': `export default function Home() {
  return (
    <main>
      <h1>SolidStart</h1>
    </main>
  );
}
`,
    },
    start: 'npm run dev',
    check: 'npx tsc',
    application: servers.solidStart,
    shows: ['@solidjs/start', 'solid-js'],
  },
  ...programs,
]
