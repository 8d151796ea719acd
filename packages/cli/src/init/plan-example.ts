import { posix } from 'node:path'
import { addToAngular } from './edit-angular.ts'
import { addComponent } from './edit-page.ts'
import { type FileEdit, type ManualEdit, type Planned, readIn, replaceText } from './edits.ts'
import type { ExampleContent } from './example.ts'
import { exampleCode, exampleFile, exampleName } from './example-code.ts'
import type { Framework } from './frameworks.ts'
import { messagesDir } from './plan.ts'
import type { ProjectFacts } from './project-facts.ts'
import type { Service } from './service.ts'
import { addImport, isModule } from './syntax.ts'

interface ExampleInput {
  readonly facts: ProjectFacts
  readonly framework: Framework
  readonly service: Service
  readonly content: ExampleContent
  /** Folder of generated modules, relative to the root. */
  readonly outDir: string
  /** Folder of translation files that is the source of truth. */
  readonly folder: string | undefined
}

/** Plans the file of the example, and its use on the first page or in the program. */
export async function planExample(
  input: ExampleInput,
): Promise<readonly (FileEdit | ManualEdit)[]> {
  const { facts, framework, service, outDir } = input
  const { kind, paths } = framework.page
  const page = await findPage(facts, paths)
  if (!page) {
    const reason = 'none of the usual first files exists'
    return [{ path: paths[0]!, reason, lines: ['Run servicekit init --example again'] }]
  }
  const folder = componentFolder(page.path)
  const isCommonJs = isCommonJsProgram(input, page)
  const compiled = isCommonJs || isTypeScriptAsCommonJs(input) ? '.cjs' : '.js'
  const content = framework.isCompiled
    ? withCompiledMessage(
        input.content,
        relativeTo(folder, messagesDir(framework, input.folder)),
        compiled,
      )
    : input.content
  const example = exampleCode[kind](content, {
    service,
    gateway: relativeTo(folder, outDir),
    isTypeScript: facts.isTypeScript,
    hasServerComponents: framework.wrap !== undefined,
    isCommonJs,
    extension: posix.extname(page.path).replace(/x$/, ''),
  })
  const path = posix.join(folder, example.name)
  const file = replaceText(path, await readIn(facts.root, path), example.text)
  return [file, ...(await planUse(input, page, path))].filter((edit) => edit !== undefined)
}

/** Plans the use of the example in the file that shows or runs it. */
async function planUse(
  { facts, framework }: ExampleInput,
  page: Page,
  example: string,
): Promise<readonly Planned[]> {
  const { kind } = framework.page
  const path = relativeTo(posix.dirname(page.path), example)
  if (kind === 'dom' || kind === 'program') {
    // Bundlers look for TypeScript by name, and TypeScript by the name of its output.
    const from = !path.endsWith('ts')
      ? path
      : framework.runsInNode
        ? path.replace(/ts$/, 'js')
        : path.replace(/\.\w+$/, '')
    // A bundler also reads CommonJS.
    const isCommonJs =
      isCommonJsProgram({ facts, framework }, page) ||
      (!isModule(page.path, page.text) && page.text.includes('require('))
    return [
      replaceText(page.path, page.text, addImport(page.path, page.text, { from, isCommonJs })),
    ]
  }
  const isDefault = /\.(?:vue|svelte|astro)$/.test(path)
  const from = isDefault ? path : path.replace(/\.\w+$/, '')
  const use = { name: exampleName, from, isDefault }
  if (kind !== 'angular') return [addComponent(page.path, page.text, use)]
  const template = page.path.replace(/\.ts$/, '.html')
  return addToAngular(page, { path: template, text: await readIn(facts.root, template) }, use)
}

/** Returns true if Node reads a program as CommonJS. */
const isCommonJsProgram = (
  { facts, framework }: Pick<ExampleInput, 'facts' | 'framework'>,
  { path, text }: Page,
): boolean =>
  framework.runsInNode === true &&
  !facts.isTypeScript &&
  (path.endsWith('.cjs') ||
    (path.endsWith('.js') && facts.manifest.type !== 'module' && !isModule(path, text)))

/** Returns true if TypeScript compiles the imports of a program to `require`. */
const isTypeScriptAsCommonJs = ({ facts, framework }: ExampleInput): boolean =>
  framework.runsInNode === true && facts.isTypeScript && facts.manifest.type !== 'module'

const relativeTo = (folder: string, target: string): string => {
  const path = posix.relative(folder, target)
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns true if the first page already shows the example. */
export async function hasExample(facts: ProjectFacts, { page }: Framework): Promise<boolean> {
  const found = await findPage(facts, page.paths)
  return found !== undefined && [exampleName, exampleFile].some((name) => found.text.includes(name))
}

interface Page {
  readonly path: string
  readonly text: string
}

async function findPage(
  { root }: ProjectFacts,
  paths: readonly string[],
): Promise<Page | undefined> {
  for (const path of paths) {
    const text = await readIn(root, path)
    if (text !== undefined) return { path, text }
  }
  return undefined
}

/** Returns the folder for the component: that of the page, unless its files are routes. */
function componentFolder(page: string): string {
  const folder = posix.dirname(page)
  if (/(?:^|\/)(?:pages|routes)$/.test(folder)) return posix.join(folder, '..', 'components')
  return folder
}

const withCompiledMessage = (
  content: ExampleContent,
  messages: string,
  extension: string,
): ExampleContent => ({
  ...content,
  message: {
    ...content.message,
    specifier: `${messages}/${content.message.specifier.replace(/^~uilm\//, '')}${extension}`,
  },
})
