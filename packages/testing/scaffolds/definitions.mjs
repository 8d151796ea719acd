import { manifest } from './manifest.mjs'
import { programs } from './programs.mjs'
import { servers } from './servers.mjs'

/** @param {Record<string, string>} [more] dependencies */
const astroManifest = (more) =>
  manifest(
    { dev: 'astro dev', build: 'astro build' },
    { astro: 'latest', '@astrojs/check': 'latest', typescript: '^6.0.0', ...more },
  )

/** The minimal template. @satisfies {Readonly<Record<string, string>>} */
const astroFiles = {
  'package.json': astroManifest(),
  'astro.config.mjs':
    "// @ts-check\nimport { defineConfig } from 'astro/config';\n\n// https://astro.build/config\nexport default defineConfig({});\n",
  'tsconfig.json':
    '{\n  "extends": "astro/tsconfigs/strict",\n  "include": [".astro/types.d.ts", "**/*"],\n  "exclude": ["dist"]\n}\n',
  '.gitignore': 'dist/\n.astro/\nnode_modules/\n',
  'src/pages/index.astro': `---

---

<html lang="en">
	<head>
		<meta charset="utf-8" />
		<link rel="icon" href="data:," />
		<title>Astro</title>
	</head>
	<body>
		<h1>Astro</h1>
	</body>
</html>
`,
}

/**
 * Projects that `scaffolds.slow.test.mjs` creates and sets up: by the commands that
 * docs/getting-started.md prints, or from the minimal files that their own documentation
 * names. The packages of React Router have one version, because `latest` may differ between
 * them.
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
 * @property {import('./servers.mjs').RenderingServer} [server] how its build renders on a server
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
    isQuick: true,
  },
  {
    name: 'vite-vue',
    node: 'Node 20',
    guide: 'Vue',
    check: 'npx vue-tsc -b',
    isQuick: true,
  },
  {
    name: 'vite-svelte',
    node: 'Node 20',
    guide: 'Svelte',
    check: 'npm run check',
  },
  {
    name: 'vite-solid',
    node: 'Node 20',
    guide: 'Solid',
    check: 'npx tsc -b',
  },
  {
    name: 'next',
    node: 'Node 20',
    guide: 'Next.js',
    check: 'npx tsc --noEmit',
    server: servers.next,
  },
  {
    name: 'sveltekit',
    node: 'Node 24',
    guide: 'SvelteKit',
    check: 'npm run check',
    server: servers.sveltekit,
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
    server: servers.astro,
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
    server: servers.nuxt,
  },
  {
    name: 'react-router',
    node: 'Node 24',
    files: {
      'package.json': manifest(
        {
          dev: 'react-router dev',
          build: 'react-router build',
          typecheck: 'react-router typegen && tsc',
        },
        {
          '@react-router/dev': '8.4.0',
          '@react-router/node': '8.4.0',
          '@react-router/serve': '8.4.0',
          'react-router': '8.4.0',
          isbot: '^5',
          react: '^19',
          'react-dom': '^19',
          '@types/react': '^19',
          '@types/react-dom': '^19',
          '@types/node': '^24',
          typescript: '^6.0.0',
          vite: '^8',
        },
      ),
      'vite.config.ts':
        'import { reactRouter } from "@react-router/dev/vite";\nimport { defineConfig } from "vite";\n\nexport default defineConfig({\n  plugins: [reactRouter()],\n});\n',
      'react-router.config.ts':
        'import type { Config } from "@react-router/dev/config";\n\nexport default {\n  ssr: true,\n} satisfies Config;\n',
      'tsconfig.json': `{
  "include": ["**/*", "**/.server/**/*", "**/.client/**/*", ".react-router/types/**/*"],
  "compilerOptions": {
    "lib": ["DOM", "DOM.Iterable", "ES2022"],
    "types": ["node", "vite/client"],
    "target": "ES2022",
    "module": "ES2022",
    "moduleResolution": "bundler",
    "jsx": "react-jsx",
    "rootDirs": [".", "./.react-router/types"],
    "esModuleInterop": true,
    "verbatimModuleSyntax": true,
    "noEmit": true,
    "resolveJsonModule": true,
    "skipLibCheck": true,
    "strict": true
  }
}
`,
      '.gitignore': '/node_modules/\n/.react-router/\n/build/\n',
      'app/routes.ts':
        'import { type RouteConfig, index } from "@react-router/dev/routes";\n\nexport default [index("routes/home.tsx")] satisfies RouteConfig;\n',
      'app/root.tsx': `import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";

export function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}
`,
      'app/routes/home.tsx':
        'export default function Home() {\n  return <h1>React Router</h1>;\n}\n',
    },
    start: 'npm run dev',
    check: 'npm run typecheck',
    server: servers.reactRouter,
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
    server: servers.solidStart,
  },
  ...programs,
]
