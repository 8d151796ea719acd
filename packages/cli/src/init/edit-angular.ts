import type { ClassDeclaration, Decorator, File, ObjectProperty } from '@babel/types'
import { insertElement } from './edit-config.ts'
import type { ComponentUse } from './edit-page.ts'
import { replaceText, type FileEdit, type ManualEdit } from './edits.ts'
import { addImport, parseModule } from './syntax.ts'

/** Element of the example component. */
const element = '<app-servicekit-example />'

/** Shows a component first in the template of an Angular component. */
export function addToAngular(
  page: { readonly path: string; readonly text: string },
  template: { readonly path: string; readonly text: string | undefined },
  { name, from }: ComponentUse,
): readonly (FileEdit | ManualEdit | undefined)[] {
  const file = parseModule(page.path, page.text)
  const imports = file && findProperty(file, 'imports')?.value
  if (template.text === undefined || imports?.type !== 'ArrayExpression') {
    const lines = [`import { ${name} } from '${from}'`, `imports: [${name}]`, element]
    return [{ path: page.path, reason: 'its structure is not known', lines }]
  }
  const listed = insertElement(page.text, imports, name)
  const after = addImport(page.path, listed, { names: `{ ${name} }`, from })
  return [
    replaceText(page.path, page.text, after),
    replaceText(template.path, template.text, `${element}\n${template.text}`),
  ]
}

/** Finds a property of the object that the decorator `@Component` receives. */
function findProperty(file: File, name: string): ObjectProperty | undefined {
  for (const statement of file.program.body) {
    const node = 'declaration' in statement ? statement.declaration : statement
    if (node?.type !== 'ClassDeclaration') continue
    const [options] = componentArguments(node)
    if (options?.type !== 'ObjectExpression') continue
    return options.properties.find(
      (one): one is ObjectProperty =>
        one.type === 'ObjectProperty' && one.key.type === 'Identifier' && one.key.name === name,
    )
  }
  return undefined
}

function componentArguments({ decorators }: ClassDeclaration) {
  const isComponent = ({ expression }: Decorator): boolean =>
    expression.type === 'CallExpression' &&
    expression.callee.type === 'Identifier' &&
    expression.callee.name === 'Component'
  const found = decorators?.find(isComponent)?.expression
  return found?.type === 'CallExpression' ? found.arguments : []
}
