/** Attributes of HTML whose values users read or hear. */
const textAttributes = new Set([
  'alt',
  'aria-braillelabel',
  'aria-brailleroledescription',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
])

/** Last words of the names of properties for text: `emptyText`, `input-label`. */
const lastWords = new Set(
  (
    'caption description header heading hint label legend message placeholder subheading subtitle ' +
    'text title tooltip'
  ).split(' '),
)

/** Keys of object literals whose values are text if they look like it. */
const textProperties = new Set([
  'caption',
  'description',
  'emptyText',
  'header',
  'Header',
  'headerName',
  'heading',
  'helperText',
  'hint',
  'label',
  'meaning',
  'message',
  'placeholder',
  'subheading',
  'subtitle',
  'text',
  'title',
  'tooltip',
])

/** Elements whose content is not translated, or already is. */
export const ignoredElements: readonly string[] = [
  'code',
  'i18n',
  'i18n-t',
  'I18nT',
  'FormattedMessage',
  'kbd',
  'pre',
  'samp',
  'script',
  'style',
  'Trans',
  'var',
]

/** Functions whose first argument is shown to users. */
export const textFunctions: readonly string[] = [
  'alert',
  'confirm',
  'prompt',
  'window.alert',
  'window.confirm',
  'window.prompt',
]

/** Members whose assigned text is shown to users. */
export const textMembers: ReadonlySet<string> = new Set([
  'ariaLabel',
  'innerText',
  'placeholder',
  'textContent',
])

export function isTextAttribute(name: string, isComponent: boolean): boolean {
  if (textAttributes.has(name)) return true
  if (!isComponent) return false
  const last = name.split(/-|(?=[A-Z])/).at(-1)!
  return name === 'content' || lastWords.has(last.toLowerCase())
}

export const isTextProperty = (name: string): boolean =>
  textProperties.has(name) || textAttributes.has(name) || /[a-z]Text$/.test(name)

/** Values of `name` and `property` of `<meta>` whose content is text. */
export const isTextMeta = (name: string | undefined): boolean =>
  name !== undefined &&
  /^(?:description|(?:og|twitter):(?:title|description|image:alt))$/.test(name)
