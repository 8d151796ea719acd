import { raw } from 'hono/html'
import { createHash } from 'node:crypto'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { readPageFile, renderTemplate, type TemplateValue } from '../http/page-template.ts'

const style = readPageFile('style.css')

/**
 * Headers of all pages: no resources from other origins, no framing by other origins, no caching.
 * The console shows the sign-in in a frame, so that a user whose session has ended loses nothing.
 * `form-action` is not restricted, because form responses redirect to the application.
 */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'self'; base-uri 'none'`,
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

interface PageValues extends Readonly<Record<string, TemplateValue>> {
  readonly title: string
  readonly text: string
  readonly projectName?: string
  readonly error?: string | undefined
}

/** Renders a page of the sign-in. It works without scripts. */
export function renderPage(template: string, values: PageValues): string {
  const all = { projectName: undefined, error: undefined, ...values }
  const { title, projectName } = all
  const document = {
    title: projectName === undefined ? title : `${title} – ${projectName}`,
    head: raw(`<style>${style}</style>`),
    content: renderTemplate('layout', { ...all, content: renderTemplate(template, all) }),
  }
  return String(renderTemplate('document', document))
}

export const messagePage = (title: string, text: string, code?: string, link?: string): string =>
  renderPage('message', { title, text, code, link })

export function errorPage(context: KoaContextWithOIDC, out: ErrorOut): void {
  const text = out.error_description ?? 'The request failed.'
  show(context, messagePage('The request failed', text, out.error))
}

export function logoutPage(context: KoaContextWithOIDC, form: string): void {
  const text = 'You are signed in on this device.'
  show(context, renderPage('logout', { title: 'Sign out?', text, form: raw(form) }))
}

export function loggedOutPage(context: KoaContextWithOIDC): void {
  show(context, messagePage('Signed out', 'You can close this page.'))
}

function show(context: KoaContextWithOIDC, body: string): void {
  context.set(pageHeaders)
  context.type = 'html'
  context.body = body
}
