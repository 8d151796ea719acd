import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addLanguageAttributes } from './edit-document.ts'
import { setOption } from './edit-config.ts'
import { addExport } from './edit-export.ts'
import { addLanguageProvider, providerLines } from './edit-react-root.ts'
import type { LanguageSetup } from './language-setup.ts'
import { namesIn, type ProjectFacts } from './project-facts.ts'

/** Attributes of the root element in a file with JSX. */
const htmlElement = (...paths: LanguageSetup['paths']): LanguageSetup => ({
  paths,
  problem: 'does not set the language and direction of <html>',
  lines: ["import { htmlAttributes } from '~uilm'", '<html {...htmlAttributes()}>'],
  sign: 'htmlAttributes',
  edit: addLanguageAttributes,
})

/** Every root layout of the App Router needs the attributes; the language needs no other code. */
export const nextLanguage = (root: string): readonly LanguageSetup[] =>
  ['app', 'src/app'].flatMap((folder) => rootLayouts(root, folder)).map((path) => htmlElement(path))

/** Finds the topmost layouts of an App Router. */
function rootLayouts(root: string, folder: string): readonly string[] {
  const names = namesIn(join(root, folder))
  const layout = names.find((name) => /^layout\.[jt]sx?$/.test(name))
  if (layout !== undefined) return [`${folder}/${layout}`]
  if (names.length === 0) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^[_@.]/.test(entry.name))
    .flatMap(({ name }) => rootLayouts(root, `${folder}/${name}`))
}

const extensionOf = ({ isTypeScript }: Pick<ProjectFacts, 'isTypeScript'>): 'ts' | 'js' =>
  isTypeScript ? 'ts' : 'js'

/** Returns a path with the extension of the application, and with the other one. */
const scriptPaths = (
  facts: Pick<ProjectFacts, 'isTypeScript'>,
  path: string,
): LanguageSetup['paths'] => {
  const extension = extensionOf(facts)
  return [`${path}.${extension}`, `${path}.${extension === 'ts' ? 'js' : 'ts'}`]
}

export function svelteKitLanguage(facts: ProjectFacts): readonly LanguageSetup[] {
  const line = "export { handle } from '~uilm/sveltekit'"
  return [
    {
      paths: scriptPaths(facts, 'src/hooks.server'),
      problem: 'does not handle the language of requests',
      lines: [line],
      sign: '~uilm/sveltekit',
      newFile: `${line}\n`,
      edit: (path, text) =>
        addExport(path, text, {
          from: '~uilm/sveltekit',
          name: 'handle',
          lines: [line],
          merged: [
            "import { sequence } from '@sveltejs/kit/hooks'",
            "import { handle as handleLanguage } from '~uilm/sveltekit'",
            'export const handle = sequence(handleLanguage, ownHandle)',
          ],
        }),
    },
  ]
}

/** React Compiler caches what components render, so that they need to know of a change. */
export const reactCompilerLanguage = (
  { dependencies }: Pick<ProjectFacts, 'dependencies'>,
  paths: LanguageSetup['paths'],
): readonly LanguageSetup[] =>
  Object.hasOwn(dependencies, 'babel-plugin-react-compiler')
    ? [
        {
          paths,
          problem: 'does not render the application in <LanguageProvider>, with React Compiler',
          lines: providerLines,
          sign: 'LanguageProvider',
          edit: addLanguageProvider,
        },
      ]
    : []

export function reactRouterLanguage(facts: ProjectFacts): readonly LanguageSetup[] {
  const { dependencies } = facts
  const lines = [
    "import { createMiddleware } from '~uilm/react-router'",
    'export const middleware = [createMiddleware()]',
  ]
  const [, major] = /(\d+)/.exec(dependencies['@react-router/dev'] ?? '') ?? []
  return [
    htmlElement('app/root.tsx', 'app/root.jsx'),
    {
      paths: ['app/root.tsx', 'app/root.jsx'],
      problem: 'does not handle the language of requests',
      lines,
      sign: '~uilm/react-router',
      edit: (path, text) =>
        addExport(path, text, {
          from: '~uilm/react-router',
          name: 'middleware',
          imports: '{ createMiddleware }',
          lines: lines.slice(1),
          merged: [lines[0]!, 'export const middleware = [createMiddleware(), ...ownMiddleware]'],
        }),
    },
    ...reactCompilerLanguage(facts, ['app/root.tsx', 'app/root.jsx']),
    // Later versions run middleware without it.
    ...(major === '7' ? [middlewareFlag] : []),
  ]
}

/** Runs middleware in React Router 7. */
const middlewareFlag: LanguageSetup = {
  paths: ['react-router.config.ts', 'react-router.config.js'],
  problem: 'does not enable middleware',
  lines: ['export default { future: { v8_middleware: true } }'],
  sign: 'v8_middleware',
  newFile: 'export default { future: { v8_middleware: true } }\n',
  edit: (path, text) => setOption(path, text, { path: ['future', 'v8_middleware'], value: 'true' }),
}

export function solidStartLanguage(facts: ProjectFacts): readonly LanguageSetup[] {
  const middleware = [
    "import { createMiddleware } from '~uilm/solid-start'",
    '',
    'export default [createMiddleware()]',
  ]
  const paths = scriptPaths(facts, 'src/middleware')
  const option = { call: 'solidStart', path: ['middleware'], value: `'./${paths[0]}'` }
  return [
    htmlElement('src/entry-server.tsx', 'src/entry-server.jsx'),
    {
      paths,
      problem: 'does not handle the language of requests',
      lines: middleware.filter((line) => line !== ''),
      sign: '~uilm/solid-start',
      newFile: `${middleware.join('\n')}\n`,
      edit: (path, text) =>
        text.includes('~uilm/solid-start')
          ? undefined
          : {
              path,
              reason: 'it has other middleware',
              lines: [middleware[0]!, 'export default [createMiddleware(), ownMiddleware]'],
            },
    },
    {
      paths: ['vite.config.ts', 'vite.config.js', 'vite.config.mjs'],
      problem: 'does not name the middleware of SolidStart',
      lines: [`solidStart({ middleware: ${option.value} })`],
      sign: 'middleware',
      edit: (path, text) => setOption(path, text, option),
    },
  ]
}
