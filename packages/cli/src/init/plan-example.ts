import { posix } from 'node:path'
import { addToAngular } from './edit-angular.ts'
import { addComponent } from './edit-page.ts'
import { type FileEdit, type ManualEdit, readIn, replaceText } from './edits.ts'
import type { ExampleContent } from './example.ts'
import { exampleCode, exampleName } from './example-code.ts'
import type { Framework } from './frameworks.ts'
import { messagesDir } from './plan.ts'
import type { ProjectFacts } from './project-facts.ts'
import type { Service } from './service.ts'

interface ExampleInput {
  readonly facts: ProjectFacts
  readonly framework: Framework
  readonly service: Service
  readonly content: ExampleContent
  /** Folder of generated modules, relative to the root. */
  readonly outDir: string
}

/** Plans the component of the example, and its use on the first page. */
export async function planExample(
  input: ExampleInput,
): Promise<readonly (FileEdit | ManualEdit)[]> {
  const { facts, framework, service, outDir } = input
  const { kind, paths } = framework.page!
  const page = await findPage(facts, paths)
  if (!page) {
    const reason = 'none of the usual pages exists'
    return [{ path: paths[0]!, reason, lines: ['Run servicekit init --example again'] }]
  }
  const folder = componentFolder(page.path)
  const specifier = (target: string): string => {
    const path = posix.relative(folder, target)
    return path.startsWith('.') ? path : `./${path}`
  }
  const content = framework.isCompiled
    ? withCompiledMessage(input.content, specifier(messagesDir(framework)))
    : input.content
  const example = exampleCode[kind](content, {
    service,
    gateway: specifier(outDir),
    isTypeScript: facts.isTypeScript,
    hasServerComponents: framework.wrap !== undefined,
  })
  const path = posix.join(folder, example.name)
  const component = replaceText(path, await readIn(facts.root, path), example.text)
  const hasExtension = /\.(?:vue|svelte|astro)$/.test(path)
  const imported = posix.relative(
    posix.dirname(page.path),
    hasExtension ? path : path.replace(/\.\w+$/, ''),
  )
  const use = {
    name: exampleName,
    from: imported.startsWith('.') ? imported : `./${imported}`,
    isDefault: hasExtension,
  }
  const template = page.path.replace(/\.ts$/, '.html')
  const shown =
    kind === 'angular'
      ? addToAngular(page, { path: template, text: await readIn(facts.root, template) }, use)
      : [addComponent(page.path, page.text, use)]
  return [component, ...shown].filter((edit) => edit !== undefined)
}

/** Returns true if the first page already shows the example. */
export async function hasExample(facts: ProjectFacts, { page }: Framework): Promise<boolean> {
  const found = page && (await findPage(facts, page.paths))
  return found?.text.includes(exampleName) ?? false
}

async function findPage(
  { root }: ProjectFacts,
  paths: readonly string[],
): Promise<{ readonly path: string; readonly text: string } | undefined> {
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

const withCompiledMessage = (content: ExampleContent, messages: string): ExampleContent => ({
  ...content,
  message: {
    ...content.message,
    specifier: `${messages}/${content.message.specifier.replace(/^~uilm\//, '')}.js`,
  },
})
