import { manifest } from './manifest.mjs'

/** The example prints a message and a list. */
const prints = ['Our ceramics', 'Harbour Mug']
const commonJs = { type: 'commonjs' }

/** Page of a bundler that has no library for components. */
const html = (/** @type {string} */ head) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <link rel="icon" href="data:," />
    <title>App</title>${head}
  </head>
  <body></body>
</html>
`
const ignore = 'node_modules\ndist\n'

/**
 * Projects of bundlers without a framework, and programs without a bundler: the minimal files
 * that their documentation names.
 *
 * @type {readonly import('./definitions.mjs').Scaffold[]}
 */
export const programs = [
  {
    name: 'webpack',
    node: 'Node 20',
    files: {
      'package.json': manifest(
        { start: 'webpack serve --mode development', build: 'webpack --mode production' },
        {
          webpack: '^5',
          'webpack-cli': 'latest',
          'webpack-dev-server': '^5',
          'html-webpack-plugin': '^5',
        },
        {},
      ),
      'webpack.config.js': `const path = require('path');
const HtmlWebpackPlugin = require('html-webpack-plugin');

module.exports = {
  entry: './src/index.js',
  plugins: [
    new HtmlWebpackPlugin({
      template: './src/index.html',
    }),
  ],
  output: {
    filename: '[name].bundle.js',
    path: path.resolve(__dirname, 'dist'),
    clean: true,
  },
};
`,
      'src/index.html': html(''),
      'src/index.js': "document.body.append('Hello webpack');\n",
      '.gitignore': ignore,
    },
    guide: 'Existing project',
  },
  {
    name: 'rspack',
    node: 'Node 24',
    files: {
      'package.json': manifest(
        { dev: 'rspack serve', build: 'rspack build' },
        {
          '@rspack/core': '^2',
          '@rspack/cli': '^2',
          '@rspack/dev-server': '^2',
          typescript: '^6.0.0',
        },
      ),
      'rspack.config.mjs': `import { defineConfig } from '@rspack/cli';
import { rspack } from '@rspack/core';

export default defineConfig({
  entry: { main: './src/index.ts' },
  resolve: { extensions: ['...', '.ts'] },
  module: {
    rules: [{ test: /\\.ts$/, type: 'javascript/auto', loader: 'builtin:swc-loader' }],
  },
  plugins: [new rspack.HtmlRspackPlugin({ template: './index.html' })],
});
`,
      'tsconfig.json': `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "ESNext",
    "moduleResolution": "bundler",
    "lib": ["DOM", "DOM.Iterable", "ES2022"],
    "types": [],
    "strict": true,
    "noEmit": true,
    "allowJs": true
  },
  "include": ["src"]
}
`,
      'index.html': html(''),
      'src/index.ts': "document.body.append('Hello Rspack')\n",
      '.gitignore': ignore,
    },
    start: 'npm run dev',
    check: 'npx tsc --noEmit',
  },
  {
    name: 'rollup',
    node: 'Node 20',
    files: {
      'package.json': manifest(
        { build: 'rollup -c', start: 'rollup -c && node dist/main.js' },
        { rollup: '^4' },
      ),
      'rollup.config.js':
        "export default {\n\tinput: 'src/main.js',\n\toutput: {\n\t\tdir: 'dist',\n\t\tformat: 'es'\n\t}\n};\n",
      'src/main.js': "console.log('Hello Rollup');\n",
      '.gitignore': ignore,
    },
    start: 'npm start',
    prints,
  },
  {
    name: 'esbuild',
    node: 'Node 20',
    files: {
      'package.json': manifest(
        { build: 'node build.js', start: 'node build.js && node dist/index.js' },
        { esbuild: 'latest' },
      ),
      'build.js': `import * as esbuild from 'esbuild'

await esbuild.build({
  entryPoints: ['src/index.js'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outdir: 'dist',
})
`,
      'src/index.js': "console.log('Hello esbuild')\n",
      '.gitignore': ignore,
    },
    start: 'npm start',
    prints,
  },
  {
    name: 'node-esm',
    node: 'Node 20',
    files: {
      'package.json': manifest({ start: 'node index.js' }, {}),
      'index.js': "console.log('Hello')\n",
    },
    start: 'npm start',
    prints,
    hasNoBuild: true,
  },
  {
    name: 'node-commonjs',
    node: 'Node 20',
    files: {
      'package.json': manifest({ start: 'node index.js' }, {}, commonJs),
      'index.js': "console.log('Hello')\n",
    },
    start: 'npm start',
    prints,
    hasNoBuild: true,
    isQuick: true,
  },
  {
    name: 'express',
    node: 'Node 20',
    files: {
      'package.json': manifest({ start: 'node app.js' }, { express: '^5' }, commonJs),
      'app.js': `const express = require('express')
const app = express()
const port = 0

app.get('/', (req, res) => {
  res.send('Hello World!')
})

app.listen(port, () => {
  console.log('Example app listening')
})
`,
    },
    start: 'npm start',
    prints: [...prints, 'Example app listening'],
    hasNoBuild: true,
  },
  {
    name: 'hono',
    node: 'Node 20',
    files: {
      'package.json': manifest(
        { dev: 'tsx watch src/index.ts', build: 'tsc', start: 'tsc && node dist/index.js' },
        {
          hono: '^4',
          '@hono/node-server': '^1',
          '@types/node': '^20',
          tsx: '^4',
          typescript: '^6.0.0',
        },
      ),
      'tsconfig.json': `{
  "compilerOptions": {
    "target": "ESNext",
    "module": "NodeNext",
    "strict": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true,
    "types": ["node"],
    "jsx": "react-jsx",
    "jsxImportSource": "hono/jsx",
    "rootDir": "./src",
    "outDir": "./dist"
  },
  "include": ["src"],
  "exclude": ["node_modules"]
}
`,
      'src/index.ts': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})

serve({
  fetch: app.fetch,
  port: 0
}, (info) => {
  console.log('Server is running')
})
`,
      '.gitignore': ignore,
    },
    start: 'npm start',
    prints: [...prints, 'Server is running'],
    check: 'npx tsc --noEmit',
  },
  {
    name: 'jest',
    node: 'Node 20',
    files: {
      'package.json': manifest({ test: 'jest' }, { jest: '^30' }, commonJs),
      'index.js': 'module.exports = (a, b) => a + b;\n',
      'index.test.js': `const { PRODUCTS_HEADING } = require('./messages/catalog.cjs');

test('shows the heading', () => {
  expect(PRODUCTS_HEADING()).toBe('Our ceramics');
});
`,
    },
    start: 'npm test',
    prints: ['1 passed'],
    hasNoBuild: true,
  },
  {
    name: 'metro',
    node: 'Node 20',
    files: {
      'package.json': manifest(
        {
          build: 'metro build index.js --out dist.js --platform ios --dev false',
          start: 'npm run build && node dist.js',
        },
        {
          '@babel/core': '^7.28.0',
          '@react-native/babel-preset': '^0.83.0',
          '@react-native/metro-babel-transformer': '^0.83.0',
          metro: '^0.83.8',
        },
        {},
      ),
      'metro.config.js':
        "module.exports = {\n  transformer: { babelTransformerPath: require.resolve('@react-native/metro-babel-transformer') },\n};\n",
      'babel.config.js': "module.exports = { presets: ['module:@react-native/babel-preset'] };\n",
      'index.js': "console.log('Hello Metro');\n",
      '.gitignore': 'node_modules\ndist.js\n',
    },
    start: 'npm start',
    prints,
  },
]
