import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Core } from '@servicekit/client/core'
import type { GatewayError } from '@servicekit/client/data'
import { graphql, updateSchema } from 'cm6-graphql'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { runDocument } from './gateway.ts'

/** Editor of a GraphQL document. */
export interface QueryEditor {
  /** Reads the schema of the project for completion and validation. */
  readonly loadSchema: (core: Core) => Promise<void>
  readonly setText: (text: string) => void
  /** Marks errors of a result at their places. */
  readonly showErrors: (errors: readonly GatewayError[]) => void
  readonly goTo: (error: GatewayError) => void
  readonly destroy: () => void
}

const theme = EditorView.theme({
  '&': { border: '1px solid var(--border)', borderRadius: 'var(--radius)', minHeight: '14rem' },
  '.cm-gutters': { background: 'var(--raised)', color: 'var(--muted)', border: 'none' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  // The underline of CodeMirror is a data URL, which the policy of the pages forbids.
  '.cm-lintRange': {
    backgroundImage: 'none !important',
    textDecoration: 'underline wavy var(--danger)',
  },
  '.cm-tooltip': { background: 'var(--raised)', border: '1px solid var(--border)' },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.number, tags.bool, tags.null], color: 'var(--success)' },
  { tag: tags.variableName, color: 'var(--warning)' },
  { tag: tags.comment, color: 'var(--muted)' },
])

/** Creates the editor in an element. */
export function createQueryEditor(
  parent: HTMLElement,
  text: string,
  label: string,
  onchange: (text: string) => void,
  onrun: () => void,
): QueryEditor {
  const runQuery = (): boolean => {
    onrun()
    return true
  }
  // In a shadow root, CodeMirror uses constructed style sheets, which the policy of the pages
  // allows; elsewhere it adds inline styles.
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  parent.append(host)
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: runQuery }]),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        lineNumbers(),
        history(),
        bracketMatching(),
        closeBrackets(),
        autocompletion(),
        syntaxHighlighting(colours),
        graphql(),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onchange(update.state.doc.toString())
        }),
      ],
    }),
  })
  const positionOf = ({ locations }: GatewayError): number => {
    const { doc } = view.state
    const { line, column } = locations?.[0] ?? { line: 1, column: 1 }
    return Math.min(doc.line(Math.min(line, doc.lines)).from + column - 1, doc.length)
  }
  return {
    loadSchema: async (core) => {
      const query = getIntrospectionQuery({ descriptions: true })
      const schema = buildClientSchema(await runDocument<IntrospectionQuery>(core, query))
      // The library declares the view of the CommonJS build.
      updateSchema(view as never, schema)
    },
    setText: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    showErrors: (errors) => {
      const diagnostics = errors.map((error): Diagnostic => {
        const from = positionOf(error)
        const to = view.state.wordAt(from)?.to ?? from
        return { from, to, severity: 'error', message: error.message }
      })
      view.dispatch(setDiagnostics(view.state, diagnostics))
    },
    goTo: (error) => {
      view.dispatch({ selection: { anchor: positionOf(error) }, scrollIntoView: true })
      view.focus()
    },
    destroy: () => {
      view.destroy()
      host.remove()
    },
  }
}
