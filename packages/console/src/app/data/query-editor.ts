import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import {
  defaultKeymap,
  deleteCharBackward,
  deleteCharForward,
  deleteGroupBackward,
  deleteGroupForward,
  deleteLineBoundaryBackward,
  deleteLineBoundaryForward,
  history,
  historyKeymap,
} from '@codemirror/commands'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { type Command, EditorView, keymap, lineNumbers } from '@codemirror/view'
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
  /** Selects a range and focuses the editor. */
  readonly select: (from: number, to: number) => void
  /** Marks errors of a result at their places. */
  readonly showErrors: (errors: readonly GatewayError[]) => void
  readonly goTo: (error: GatewayError) => void
  readonly destroy: () => void
}

const theme = EditorView.theme({
  '&': {
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius)',
    minHeight: '14rem',
    maxHeight: '32rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': {
    fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', monospace",
    fontSize: '0.88em',
  },
  '.cm-gutters': { background: 'var(--raised)', color: 'var(--muted)', border: 'none' },
  '.cm-content': { minHeight: '14rem', caretColor: 'var(--text)' },
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

interface QueryEditorOptions {
  readonly text: string
  /** Accessible name. */
  readonly label: string
  readonly onchange: (text: string) => void
  readonly onrun: () => void
}

/** Commands for deletions beside the cursor, which virtual keyboards request without a key. */
const deletions: Readonly<Record<string, Command>> = {
  deleteContentBackward: deleteCharBackward,
  deleteContentForward: deleteCharForward,
  deleteWordBackward: deleteGroupBackward,
  deleteWordForward: deleteGroupForward,
  deleteSoftLineBackward: deleteLineBoundaryBackward,
  deleteSoftLineForward: deleteLineBoundaryForward,
  deleteHardLineBackward: deleteLineBoundaryBackward,
  deleteHardLineForward: deleteLineBoundaryForward,
}

// The browser keeps the style of the text that it replaces or deletes in a style attribute, which
// the content security policy refuses. So CodeMirror makes all changes of the elements, except those
// of a composition, which nobody can prevent: what it replaces is deleted before it begins.
const edits = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, dataTransfer } = event
    if (event.isComposing || !event.cancelable) return false
    readSelection(view)
    if (inputType.startsWith('delete')) {
      // Each of them deletes the selection if there is one.
      const remove = deletions[inputType] ?? deleteSelection
      event.preventDefault()
      remove(view)
      return true
    }
    const text = data ?? dataTransfer?.getData('text/plain')
    if (!text || (inputType !== 'insertText' && inputType !== 'insertReplacementText')) return false
    event.preventDefault()
    const { from, to } = view.state.selection.main
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), {
        userEvent: 'input.type',
        scrollIntoView: true,
      })
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, text, insert))
    if (!isHandled) view.dispatch(insert())
    return true
  },
  compositionstart: (_, view) => {
    readSelection(view)
    if (!view.state.selection.main.empty) deleteSelection(view)
  },
})

/** Lets CodeMirror read the selection now: the browser may announce it only after the edit. */
const readSelection = (view: EditorView): unknown =>
  view.contentDOM.ownerDocument.dispatchEvent(new Event('selectionchange'))

const deleteSelection = (view: EditorView): void =>
  view.dispatch(view.state.replaceSelection(''), { userEvent: 'delete.selection' })

/** Creates the editor in an element. */
export function createQueryEditor(parent: HTMLElement, options: QueryEditorOptions): QueryEditor {
  const { text, label, onchange, onrun } = options
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
        edits,
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
  const select = (anchor: number, head = anchor): void => {
    view.dispatch({ selection: { anchor, head }, scrollIntoView: true })
    view.focus()
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
    select,
    goTo: (error) => select(positionOf(error)),
    destroy: () => {
      view.destroy()
      host.remove()
    },
  }
}
