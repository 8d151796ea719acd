import { manifest } from './manifest.mjs'

/** @param {Record<string, string>} [more] dependencies */
export const astroManifest = (more) =>
  manifest(
    { dev: 'astro dev', build: 'astro build' },
    { astro: 'latest', '@astrojs/check': 'latest', typescript: '^6.0.0', ...more },
  )

/** The minimal template. @satisfies {Readonly<Record<string, string>>} */
export const astroFiles = {
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
 * Returns the files of an application of React Router. Its packages have one version, because
 * `latest` may differ between them.
 *
 * @param {string} version
 */
export const reactRouterFiles = (version) => ({
  'package.json': manifest(
    {
      dev: 'react-router dev',
      build: 'react-router build',
      typecheck: 'react-router typegen && tsc',
    },
    {
      '@react-router/dev': version,
      '@react-router/node': version,
      '@react-router/serve': version,
      'react-router': version,
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
  'app/routes/home.tsx': 'export default function Home() {\n  return <h1>React Router</h1>;\n}\n',
})
