import { html, raw } from 'hono/html'
import { createHash } from 'node:crypto'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'

/** HTML page. Interpolated values are escaped. */
export type Page = string

const style = `
:root{color-scheme:light dark;--ink:#1a1d24;--soft:#5b6270;--line:#c9ced8;--paper:#fff;--back:#eef1f6;--act:#2146c7;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#edeff4;--soft:#a7aebc;--line:#474e5c;--paper:#1c2029;--back:#12151b;--act:#9db4ff;--bad:#ffb4ab}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:24rem;padding:2rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1rem 3rem rgb(0 0 0/.08)}
.brand{display:flex;gap:.6rem;align-items:center;color:var(--soft);font-size:.9rem;margin:0 0 1.25rem}.brand span{width:1.5rem;height:1.5rem;border-radius:.45rem;background:linear-gradient(135deg,var(--act),#7a5af8)}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 .35rem}p{margin:0 0 1.25rem;color:var(--soft)}
label{display:block;font-weight:600;margin:0 0 .3rem}input{width:100%;font:inherit;color:inherit;background:transparent;padding:.65rem .75rem;margin:0 0 1rem;border:1px solid var(--line);border-radius:.6rem}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--act);outline-offset:2px}
button{width:100%;font:inherit;font-weight:600;padding:.7rem;border:0;border-radius:.6rem;background:var(--act);color:var(--paper);cursor:pointer;margin:.25rem 0 0}button.quiet{background:transparent;color:var(--act)}
.fault{color:var(--bad);border:1px solid;border-radius:.6rem;padding:.6rem .75rem;margin:0 0 1rem}a{color:var(--act)}`

/** Keep the element in one piece, because its hash covers every character between the tags. */
const styleElement = raw(`<style>${style}</style>`)
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

const page = (title: string, content: ReturnType<typeof html>): Page =>
  String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          ${styleElement}
        </head>
        <body>
          <main>${content}</main>
        </body>
      </html>`,
  )

/** Values shown by the login page. */
export interface LoginView {
  readonly projectName: string
  readonly clientName: string
  readonly action: string
  readonly userName: string
  readonly fault?: string | undefined
}

/** Renders the login page, with name and password. It works without scripts. */
export function loginPage({ projectName, clientName, action, userName, fault }: LoginView): Page {
  const described = fault ? raw(' aria-invalid="true" aria-describedby="fault"') : ''
  return page(
    `Sign in – ${projectName}`,
    html`<div class="brand"><span aria-hidden="true"></span>${projectName}</div>
      <h1>Sign in</h1>
      <p>to continue to ${clientName}</p>
      ${fault ? html`<div class="fault" id="fault" role="alert">${fault}</div>` : ''}
      <form method="post" action="${action}">
        <label for="username">E-mail or user name</label>
        <input
          id="username"
          name="username"
          value="${userName}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required${userName ? '' : raw(' autofocus')}${described}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required${userName ? raw(' autofocus') : ''}${described}
        />
        <button type="submit">Sign in</button>
      </form>`,
  )
}

/** Values shown by pages with a single field. */
export interface ActivationView {
  readonly projectName: string
  readonly action: string
  readonly fault?: string | undefined
}

/** Renders the page on which an invited user chooses a password. */
export const activationPage = ({ projectName, action, fault }: ActivationView): Page =>
  page(
    `Choose a password – ${projectName}`,
    html`<div class="brand"><span aria-hidden="true"></span>${projectName}</div>
      <h1>Choose a password</h1>
      <p>Your account is ready when you have one.</p>
      ${fault ? html`<div class="fault" id="fault" role="alert">${fault}</div>` : ''}
      <form method="post" action="${action}">
        <label for="password">Password, at least 8 characters</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          minlength="8"
          required
          autofocus${fault ? raw(' aria-invalid="true" aria-describedby="fault"') : ''}
        />
        <button type="submit">Save password</button>
      </form>`,
  )

/** Renders the page for the second-factor code. */
export const codePage = ({ projectName, action, fault }: ActivationView): Page =>
  page(
    `Enter the code – ${projectName}`,
    html`<div class="brand"><span aria-hidden="true"></span>${projectName}</div>
      <h1>Enter the code</h1>
      <p>We sent it to you. It is good for ten minutes.</p>
      ${fault ? html`<div class="fault" id="fault" role="alert">${fault}</div>` : ''}
      <form method="post" action="${action}">
        <label for="code">Code</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          required
          autofocus${fault ? raw(' aria-invalid="true" aria-describedby="fault"') : ''}
        />
        <button type="submit">Sign in</button>
      </form>`,
  )

/** Renders a page with a message. */
export const messagePage = (title: string, text: string): Page =>
  page(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  )

/** Renders the error of a rejected authorization request. */
export function errorPage(context: KoaContextWithOIDC, out: ErrorOut): void {
  show(
    context,
    page(
      'This did not work',
      html`<h1>This did not work</h1>
        <p>${out.error_description ?? 'The request could not be answered.'}</p>
        <p><code>${out.error}</code></p>`,
    ),
  )
}

/** Renders the sign-out confirmation. */
export function leavePage(context: KoaContextWithOIDC, form: string): void {
  show(
    context,
    page(
      'Sign out',
      html`<h1>Sign out?</h1>
        <p>You are signed in on this device.</p>
        ${raw(form)}
        <button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>
        <button class="quiet" type="submit" form="op.logoutForm">Stay signed in</button>`,
    ),
  )
}

/** Renders the page shown after signing out. */
export function leftPage(context: KoaContextWithOIDC): void {
  show(context, messagePage('Signed out', 'You can close this page.'))
}

function show(context: KoaContextWithOIDC, body: Page): void {
  context.set(pageHeaders as Record<string, string>)
  context.type = 'html'
  context.body = body
}
