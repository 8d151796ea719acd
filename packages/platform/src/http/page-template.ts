import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { readFileSync } from 'node:fs'
import { pagesUrl } from '../assets.ts'

/** Value of a placeholder. Strings are escaped; results of {@link renderTemplate} are not. */
export type TemplateValue = string | number | boolean | undefined | HtmlEscapedString

export const readPageFile = (name: string): string => readFileSync(new URL(name, pagesUrl), 'utf8')

/**
 * Renders the template `pages/NAME.html`.
 *
 * `{{name}}` is replaced with the escaped value; `undefined` and booleans render nothing.
 * `{{#name}}…{{/name}}` is kept only if the value is truthy.
 *
 * @throws TypeError for a placeholder without a value.
 */
export function renderTemplate(
  name: string,
  values: Readonly<Record<string, TemplateValue>>,
): HtmlEscapedString {
  const valueOf = (placeholder: string): TemplateValue => {
    if (placeholder in values) return values[placeholder]
    throw new TypeError(`The template "${name}" has no value for "${placeholder}".`)
  }
  const kept = readPageFile(`${name}.html`).replaceAll(
    /\{\{#(\w+)\}\}([^]*?)\{\{\/\1\}\}/g,
    (_, placeholder: string, body: string) => (valueOf(placeholder) ? body : ''),
  )
  return raw(
    kept.replaceAll(/\{\{(\w+)\}\}/g, (_, placeholder: string) =>
      String(html`${valueOf(placeholder)}`),
    ),
  )
}
