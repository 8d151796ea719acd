import { describe, expect, it } from 'vitest'
import { addPlugin, replaceStrings, wrapConfig } from './edit-config.ts'

const vite = { from: '@servicekit/unplugin/vite', name: 'uilm', path: ['plugins'] }
const nested = { ...vite, path: ['vite', 'plugins'] }
const esbuild = { ...vite, from: '@servicekit/unplugin/esbuild' }
const webpack = { ...vite, from: '@servicekit/unplugin/webpack' }

const edited = (path: string, text: string, use = vite): string => {
  const edit = addPlugin(path, text, use)
  if (!edit || !('after' in edit)) throw new Error(JSON.stringify(edit))
  return edit.after
}

describe('addPlugin', () => {
  it('appends to a list in one line, below the other imports', () => {
    expect(
      edited(
        'vite.config.ts',
        "import react from '@vitejs/plugin-react'\nimport { defineConfig } from 'vite'\n\n// https://vite.dev\nexport default defineConfig({\n  plugins: [react()],\n})\n",
      ),
    ).toBe(
      "import react from '@vitejs/plugin-react'\nimport { defineConfig } from 'vite'\nimport { uilm } from '@servicekit/unplugin/vite'\n\n// https://vite.dev\nexport default defineConfig({\n  plugins: [react(), uilm()],\n})\n",
    )
  })

  it('keeps the style of a list with one plugin a line, double quotes and semicolons', () => {
    expect(
      edited(
        'vite.config.ts',
        'import vue from "@vitejs/plugin-vue";\n\nexport default {\n\tplugins: [\n\t\tvue(), // first\n\t],\n} satisfies UserConfig;\n',
      ),
    ).toBe(
      'import vue from "@vitejs/plugin-vue";\nimport { uilm } from "@servicekit/unplugin/vite";\n\nexport default {\n\tplugins: [\n\t\tvue(),\n\t\tuilm(), // first\n\t],\n} satisfies UserConfig;\n',
    )
  })

  it.each([
    ['export default defineConfig({})\n', '{\n  plugins: [uilm()],\n}'],
    ['export default { root: "a" }\n', '{ root: "a", plugins: [uilm()] }'],
    ['export default {\n  root: "a",\n}\n', '{\n  root: "a",\n  plugins: [uilm()],\n}'],
    ['export default { plugins: [] }\n', '{ plugins: [uilm()] }'],
    ['const config = { plugins: [a()] }\nexport default config\n', '{ plugins: [a(), uilm()] }'],
    ['export default defineConfig(() => ({ plugins: [a()] }))', '({ plugins: [a(), uilm()] })'],
    [
      'export default defineConfig(({ mode }) => {\n  return { plugins: [a()] }\n})',
      'return { plugins: [a(), uilm()] }',
    ],
    ['export default { plugins: [a()] as Plugin[] }', '[a(), uilm()] as Plugin[]'],
  ])('edits %s', (text, expected) => {
    const after = edited('vite.config.ts', text)
    expect(after).toContain(expected)
    expect(after).toMatch(/^import \{ uilm \} from ['"]@servicekit\/unplugin\/vite['"];?\n\n/)
  })

  it.each([
    ["import { build } from 'esbuild'\nawait build({ bundle: true })\n", 'plugins: [uilm()] })\n'],
    [
      "import * as esbuild from 'esbuild'\nesbuild.build({ plugins: [a()] }).catch(() => process.exit(1))\n",
      'plugins: [a(), uilm()] }).catch(',
    ],
    [
      "import esbuild from 'esbuild'\nconst options = { bundle: true }\nconst context = await esbuild.context(options)\n",
      'plugins: [uilm()] }\nconst context',
    ],
  ])('edits the build script %j', (text, expected) => {
    expect(edited('build.js', text, esbuild)).toContain(expected)
  })

  it('refuses a build script with several builds', () => {
    const text = "import { build } from 'esbuild'\nawait build({})\nawait build({ minify: true })\n"
    expect(addPlugin('build.js', text, esbuild)).toMatchObject({ reason: expect.any(String) })
  })

  it('adds a list inside another property', () => {
    expect(
      edited(
        'astro.config.mjs',
        "// @ts-check\nimport { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
        nested,
      ),
    ).toBe(
      "// @ts-check\nimport { defineConfig } from 'astro/config';\nimport { uilm } from '@servicekit/unplugin/vite';\n\nexport default defineConfig({\n  vite: {\n    plugins: [uilm()],\n  },\n});\n",
    )
    expect(
      edited('nuxt.config.ts', 'export default defineNuxtConfig({ vite: { base: "/" } })', nested),
    ).toContain('vite: { base: "/", plugins: [uilm()] }')
  })

  it('requires the plugin in a CommonJS file', () => {
    expect(
      edited(
        'webpack.config.js',
        "const path = require('path');\n\n/** @type {import('webpack').Configuration} */\nmodule.exports = {\n  plugins: [],\n};\n",
        webpack,
      ),
    ).toBe(
      "const path = require('path');\nconst { uilm } = require('@servicekit/unplugin/webpack');\n\n/** @type {import('webpack').Configuration} */\nmodule.exports = {\n  plugins: [uilm()],\n};\n",
    )
  })

  it('changes nothing the second time', () => {
    const text = edited('vite.config.ts', 'export default { plugins: [] }')
    expect(addPlugin('vite.config.ts', text, vite)).toBeUndefined()
  })

  it.each([
    ['export default {', 'it cannot be parsed'],
    ['export default mergeConfig(base, {})', 'its default export is not an object'],
    ['export default [{}, {}]', 'its default export is not an object'],
    ['export default { plugins: common }', 'its plugins is not a list'],
    ['export default { plugins() {} }', 'its plugins is not a list'],
    ['export const config = {}', 'its default export is not an object'],
  ])('refuses %s and names the lines to add', (text, reason) => {
    expect(addPlugin('vite.config.ts', text, vite)).toEqual({
      path: 'vite.config.ts',
      reason: expect.stringContaining(reason),
      lines: [
        "import { uilm } from '@servicekit/unplugin/vite'",
        'export default { plugins: [uilm()] }',
      ],
    })
  })
})

describe('wrapConfig', () => {
  const next = { from: '@servicekit/unplugin/next', name: 'withUilm' }

  it('wraps the exported configuration', () => {
    const text =
      'import type { NextConfig } from "next";\n\nconst nextConfig: NextConfig = {\n  /* options */\n};\n\nexport default nextConfig;\n'
    expect(wrapConfig('next.config.ts', text, next)).toMatchObject({
      after:
        'import type { NextConfig } from "next";\nimport { withUilm } from "@servicekit/unplugin/next";\n\nconst nextConfig: NextConfig = {\n  /* options */\n};\n\nexport default withUilm(nextConfig);\n',
    })
  })

  it('refuses a file without a default export', () => {
    expect(wrapConfig('next.config.js', 'export const a = 1', next)).toMatchObject({
      reason: 'it has no default export that can be wrapped',
    })
  })
})

describe('replaceStrings', () => {
  const values = { baseUrl: "https://a.example/it's", projectKey: 'P2' }

  it.each([
    [
      'servicekit.config.ts',
      "import { defineConfig } from 'servicekit'\n\nexport default defineConfig({\n  baseUrl: 'http://127.0.0.1:4600', // local\n  projectKey: \"P1\",\n})\n",
      "import { defineConfig } from 'servicekit'\n\nexport default defineConfig({\n  baseUrl: 'https://a.example/it\\'s', // local\n  projectKey: \"P2\",\n})\n",
    ],
    [
      'servicekit.config.js',
      'export default { gateway: {} }\n',
      "export default { gateway: {}, baseUrl: 'https://a.example/it\\'s', projectKey: 'P2' }\n",
    ],
    [
      'servicekit.config.json',
      '{\n  "baseUrl": "http://127.0.0.1:4600"\n}\n',
      '{\n  "baseUrl": "https://a.example/it\'s",\n  "projectKey": "P2"\n}\n',
    ],
    [
      'servicekit.config.json',
      '{}\n',
      '{\n  "baseUrl": "https://a.example/it\'s",\n  "projectKey": "P2"\n}\n',
    ],
  ])('changes and adds strings in %s', (path, text, after) => {
    expect(replaceStrings(path, text, values)).toMatchObject({ after })
    expect(replaceStrings(path, after, values)).toBeUndefined()
  })

  it('refuses a value that is not a string', () => {
    expect(
      replaceStrings('a.ts', 'export default { baseUrl: process.env.URL }', values),
    ).toMatchObject({ reason: 'its baseUrl is not a string' })
  })
})
