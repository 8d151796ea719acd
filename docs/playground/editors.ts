import { editor as editors, Uri } from 'monaco-editor/editor/editor.api.js'
import 'monaco-editor/features/register.all.js'
import 'monaco-editor/languages/definitions/javascript/register.js'
import 'monaco-editor/languages/definitions/typescript/register.js'
import 'monaco-editor/languages/features/json/register.js'
import * as typescript from 'monaco-editor/languages/features/typescript/register.js'
// Imported by name, so that it is there when the editor meets the first file. `register.js` imports it
// dynamically for the editor and for a request for the worker, and the request may win.
import { getTypeScriptWorker } from 'monaco-editor/languages/features/typescript/tsMode.js'

globalThis.MonacoEnvironment = {
  getWorker: (_, label) =>
    label === 'json' ? jsonWorker() : isScript(label) ? typescriptWorker() : editorWorker(),
}

const isScript = (label: string): boolean => /^(?:java|type)script$/.test(label)

// A bundler finds the addresses of workers only where they are created.
const module = { type: 'module' } as const
const editorWorker = () =>
  new Worker(new URL('monaco-editor/editor/editor.worker.js', import.meta.url), module)
const jsonWorker = () =>
  new Worker(
    new URL('monaco-editor/languages/features/json/json.worker.js', import.meta.url),
    module,
  )
const typescriptWorker = () =>
  new Worker(
    new URL('monaco-editor/languages/features/typescript/ts.worker.js', import.meta.url),
    module,
  )

const { typescriptDefaults } = typescript
typescriptDefaults.setCompilerOptions({
  target: typescript.ScriptTarget.ES2020,
  module: typescript.ModuleKind.ESNext,
  moduleResolution: typescript.ModuleResolutionKind.NodeJs,
  strict: true,
  jsx: typescript.JsxEmit.Preserve,
  allowNonTsExtensions: true,
})
typescriptDefaults.setEagerModelSync(true)

export interface CodeEditor {
  readonly setText: (text: string) => void
  readonly dispose: () => void
}

const codeUri = Uri.parse('file:///page.ts')

/**
 * Shows an editor in an element.
 *
 * @param language `typescript` is the page, of which there is one.
 * @param onChange called with the text after each edit; without it, the text cannot be edited.
 */
export function createEditor(
  element: HTMLElement,
  language: 'json' | 'typescript' | 'javascript',
  label: string,
  onChange?: (text: string) => void,
): CodeEditor {
  const model = editors.createModel('', language, language === 'typescript' ? codeUri : undefined)
  const shown = editors.create(element, {
    model,
    ariaLabel: label,
    readOnly: onChange === undefined,
    automaticLayout: true,
    fontSize: 13,
    lineNumbersMinChars: 3,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    wordWrap: 'on',
    // The page around it scrolls.
    scrollbar: { alwaysConsumeMouseWheel: false },
  })
  if (onChange) model.onDidChangeContent(() => onChange(model.getValue()))
  return {
    setText: (text) => {
      if (model.getValue() !== text) model.setValue(text)
    },
    dispose() {
      shown.dispose()
      model.dispose()
    },
  }
}

export const setTheme = (isDark: boolean): void => editors.setTheme(isDark ? 'vs-dark' : 'vs')

/** Writes the declarations that the page's code is checked against. */
export function setDeclarations(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const uri = Uri.parse(`file:///${name}`)
    const model = editors.getModel(uri) ?? editors.createModel('', 'typescript', uri)
    model.setValue(text)
  }
}

export interface CodeCheck {
  readonly javaScript: string
  /** Errors of the compiler: `3: Property 'name' is missing …`. */
  readonly errors: readonly string[]
}

/** Compiles the page's code. */
export async function checkCode(): Promise<CodeCheck> {
  const uri = codeUri.toString()
  // The worker gets the current text of each file that is named here.
  const files = editors.getModels().map((model) => model.uri)
  const worker = await (await getTypeScriptWorker())(...files)
  const [output, syntactic, semantic] = await Promise.all([
    worker.getEmitOutput(uri),
    worker.getSyntacticDiagnostics(uri),
    worker.getSemanticDiagnostics(uri),
  ])
  const model = editors.getModel(codeUri)!
  return {
    javaScript: output.outputFiles[0]?.text ?? '',
    errors: [...syntactic, ...semantic].map(
      ({ start = 0, messageText }) =>
        `${model.getPositionAt(start).lineNumber}: ${typeof messageText === 'string' ? messageText : messageText.messageText}`,
    ),
  }
}
