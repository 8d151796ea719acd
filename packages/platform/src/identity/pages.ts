import { raw } from 'hono/html'
import { createHash } from 'node:crypto'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { readPageFiles, renderTemplate, type TemplateValue } from '../http/template.ts'

/** HTML page. */
export type Page = string

const style = readPageFiles('base.css', 'sign-in.css')
const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Headers of all pages: no resources from other origins, no framing, no caching.
 * `form-action` is not restricted, because form responses redirect to the application.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

function renderPage(
  title: string,
  template: string,
  values: Readonly<Record<string, TemplateValue>>,
): Page {
  const content = renderTemplate(template, values)
  // The hash in the header covers every character between the tags.
  return String(renderTemplate('layout', { title, content, style: raw(`<style>${style}</style>`) }))
}

/** Values shown by the login page. */
export interface LoginView {
  readonly projectName: string
  readonly clientName: string
  readonly action: string
  readonly userName: string
  readonly error?: string | undefined
}

/** Renders the login page, with name and password. It works without scripts. */
export const loginPage = ({ error, ...view }: LoginView): Page =>
  renderPage(`Sign in – ${view.projectName}`, 'login', {
    ...view,
    error,
    isNameFocused: view.userName === '',
  })

/** Values shown by pages with a single field. */
export interface FieldView {
  readonly projectName: string
  readonly action: string
  readonly error?: string | undefined
}

/** Renders the page on which an invited user chooses a password. */
export const activationPage = ({ projectName, action, error }: FieldView): Page =>
  renderPage(`Choose a password – ${projectName}`, 'activate', { projectName, action, error })

/** Renders the page for the second-factor code. */
export const codePage = ({ projectName, action, error }: FieldView): Page =>
  renderPage(`Enter the code – ${projectName}`, 'code', { projectName, action, error })

/** Renders a page with a message, and with an error code if there is one. */
export const messagePage = (title: string, text: string, code?: string): Page =>
  renderPage(title, 'message', { title, text, code })

/** Renders the error of a rejected authorization request. */
export function errorPage(context: KoaContextWithOIDC, out: ErrorOut): void {
  const text = out.error_description ?? 'The request failed.'
  show(context, messagePage('This did not work', text, out.error))
}

/** Renders the sign-out confirmation. */
export function logoutPage(context: KoaContextWithOIDC, form: string): void {
  show(context, renderPage('Sign out', 'logout', { form: raw(form) }))
}

/** Renders the page shown after signing out. */
export function loggedOutPage(context: KoaContextWithOIDC): void {
  show(context, messagePage('Signed out', 'You can close this page.'))
}

function show(context: KoaContextWithOIDC, body: Page): void {
  context.set(pageHeaders as Record<string, string>)
  context.type = 'html'
  context.body = body
}
