import { raw } from 'hono/html'
import { readPageFiles, renderTemplate, type TemplateValue } from '../http/template.ts'

/**
 * Renders the page `pages/NAME.html` with its style and its script. It loads no other
 * resources, and runs no other scripts.
 */
export function scriptPage(
  name: 'api' | 'key',
  values: Readonly<Record<string, TemplateValue>> = {},
  status = 200,
): Response {
  const nonce = crypto.randomUUID()
  const style = readPageFiles('base.css', `${name}.css`)
  const script = readPageFiles(`${name}.js`)
  const page = renderTemplate(name, {
    ...values,
    style: raw(`<style nonce="${nonce}">${style}</style>`),
    script: raw(`<script type="module" nonce="${nonce}">${script}</script>`),
  })
  return new Response(String(page), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; connect-src 'self'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
