import { expect, it } from 'vitest'
import { formFiles, pageSources } from './form-files.ts'

/** Components whose inputs belong to the form of the component that uses them. */
const parts: Readonly<Record<string, string>> = {
  'data/field-input.svelte': 'data/record-dialog.svelte',
  'data/query-view.svelte': 'data/query-session.svelte.ts',
  'data/schema-field-inputs.svelte': 'data/schema-dialog.svelte',
  'data/schema-levels.svelte': 'data/schema-dialog.svelte',
  'data/relation-input.svelte': 'data/record-dialog.svelte',
  'people/choices.svelte': 'people/role-dialog.svelte',
  'people/membership-fields.svelte': 'people/user-dialog.svelte',
  'translations/translation-editor.svelte': 'translations/key-panel.svelte',
}

/** Components whose inputs select what is shown or done; losing them loses no work. */
const choices = [
  'data/filter-form.svelte',
  'data/import-records-dialog.svelte',
  'data/records-table.svelte',
  'files/files-page.svelte',
  'files/url-dialog.svelte',
  'people/permissions-view.svelte',
  'people/users-view.svelte',
  'shell/new-project.svelte',
  'shell/sign-in.svelte',
  'shell/top-bar.svelte',
  'tasks/tasks-page.svelte',
  'translations/application-frame.svelte',
  'translations/assign-dialog.svelte',
  'translations/build-panel.svelte',
  'translations/copy-dialog.svelte',
  'translations/export-dialog.svelte',
  'translations/filter-bar.svelte',
  'translations/grid-key.svelte',
  'translations/import-dialog.svelte',
  'translations/import-names.svelte',
  'translations/preview-inputs.svelte',
  'translations/publish-selection.svelte',
  'translations/states-dialog.svelte',
  'translations/translate-dialog.svelte',
  'translations/translate-view.svelte',
  'translations/translation-state.svelte',
  'translations/usage-note.svelte',
  'webhooks/deliveries-view.svelte',
  'webhooks/receiver-view.svelte',
  'workbench/clock-view.svelte',
  'workbench/requests-view.svelte',
  'workbench/transfer-view.svelte',
]

const hasInput = (source: string): boolean => /<(?:input|textarea|select)\b/.test(source)

it('every component with inputs has a form, is part of one, or only selects what is shown', () => {
  const components = [...pageSources()].filter(([file]) => file.endsWith('.svelte'))
  const withInputs = components.filter(([, source]) => hasInput(source)).map(([file]) => file)
  const known = new Set([...formFiles(), ...Object.keys(parts), ...choices])
  expect(withInputs.filter((file) => !known.has(file))).toEqual([])
  // Neither list names what has no inputs any more.
  expect([...Object.keys(parts), ...choices].filter((file) => !withInputs.includes(file))).toEqual(
    [],
  )
  expect(Object.values(parts).filter((file) => !formFiles().includes(file))).toEqual([])
})

it('every dialog asks about the form of its component', () => {
  const dialogs = [...pageSources()].filter(
    ([file, source]) => formFiles().includes(file) && /<(?:Modal|EditsDialog)\b/.test(source),
  )
  expect(dialogs.length).toBeGreaterThan(4)
  for (const [file, source] of dialogs)
    expect(source, file).toMatch(/<(?:Modal|EditsDialog)[^>]*\{form\}/)
})
