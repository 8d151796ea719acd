import { missingMarker } from '@servicekit/contract'
import { isRightToLeft, formNames, pluralForms } from '@servicekit/core'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { type LanguageProgress, readLanguages } from '../localization/catalog.ts'
import { type ListedKey, listKeys } from '../localization/list-keys.ts'
import { type Control, onProject } from './control-call.ts'
import { scriptPage } from '../http/template.ts'

/** Renders markup. Only templates with promises as values would render asynchronously. */
const markup = html as (...parts: Parameters<typeof html>) => HtmlEscapedString

/** Route of the page that opens when a developer clicks a message in development. */
export function keyPageRoutes(control: Control): void {
  onProject(control, 'GET /keys/:module/:name', async ({ project, param, query, snapshot }) => {
    const [module, key] = [param('module'), param('name')]
    const { keys, languages } = await snapshot(async (tables) => {
      const find = async (names: readonly string[]) =>
        (await listKeys(tables, { module, keys: names, page: 1, pageSize: names.length })).items
      const own = await find([key])
      return {
        keys: own.length > 0 ? own : await find(formNames.map((form) => `${key}_${form}`)),
        languages: await readLanguages(tables),
      }
    })
    const first = languages.find(({ isDefault }) => isDefault)
    const shown = languages
      // The `key` pseudo-language has no translations of its own.
      .filter(({ languageCode, isDraft }) => !isDraft && languageCode !== 'key')
      .map((language) => {
        const { languageCode: code } = language
        const isFocused = code === query['language']
        return renderLanguage(language, fieldsOf(key, keys, code), language === first, isFocused)
      })
    const isKnown = keys.length > 0
    const values = {
      projectName: project.name,
      module,
      key,
      url: `/_platform/projects/${encodeURIComponent(project.key)}/texts`,
      fields: isKnown && shown,
      isUnknown: !isKnown,
    }
    return scriptPage('key', `${key} – ${project.name}`, values, isKnown ? 200 : 404)
  })
}

/** Returns the translations of a key in one language; in plural order if it has several forms. */
function fieldsOf(key: string, keys: readonly ListedKey[], code: string) {
  const forms = pluralForms(code)
  return keys
    .map((item) => {
      const form = item.key.slice(key.length + 1)
      const stored = item.texts[code] ?? ''
      // Show a missing translation as an empty field, not as its marker.
      const text = stored === missingMarker ? '' : stored
      return { name: item.key, form, examples: forms.get(form) ?? [], text }
    })
    .filter(({ form, examples, text }) => form === '' || examples.length > 0 || text !== '')
    .toSorted((one, other) => formNames.indexOf(one.form) - formNames.indexOf(other.form))
}

type Field = ReturnType<typeof fieldsOf>[number]

function renderLanguage(
  { languageCode: code, languageName: name }: LanguageProgress,
  fields: readonly Field[],
  isDefault: boolean,
  isFocused: boolean,
): HtmlEscapedString {
  const note = markup`<small>${code}${isDefault ? ', default' : ''}</small>`
  const [first] = fields
  if (first?.form === '') return renderField(first, code, markup`${name} ${note}`, isFocused)
  const rendered = fields.map((field, index) => {
    const numbers = formatNumbers(field.form, field.examples)
    const label = markup`${field.form.replace('_', ' ')} <small>${numbers}</small>`
    return renderField(field, code, label, isFocused && index === 0)
  })
  return markup`<fieldset>
    <legend>${name} ${note}</legend>
    ${rendered}
  </fieldset>`
}

function renderField(
  { name, form, text }: Field,
  code: string,
  label: HtmlEscapedString,
  isFocused: boolean,
): HtmlEscapedString {
  const id = `${code}-${form}`
  // HTML parsers drop the first line break in a textarea.
  return markup`<label for="${id}">${label}</label
    ><textarea
      id="${id}"
      name="${name}"
      lang="${code}"
      dir="${isRightToLeft(code) ? 'rtl' : 'ltr'}"
      rows="1"
      placeholder="Not translated"
      class="${text === '' ? 'missing' : ''}"
      ${raw(isFocused ? 'autofocus' : '')}
    >
${text}</textarea>`
}

function formatNumbers(form: string, examples: readonly number[]): string {
  if (examples.length > 0) return examples.join(', ') + (examples.length < 3 ? '' : ' …')
  // i18next accepts a zero form in any language.
  return form.endsWith('zero') ? '0' : 'no number of this language'
}
