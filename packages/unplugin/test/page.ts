/** Page of the sample project without a framework: two pages, a form, a language switch. */
export const page: Record<string, string> = {
  'package.json': '{"type": "module"}',
  'index.html': `<!doctype html>
<html><head><link rel="icon" href="data:,"></head><body>
<h1 id="title"></h1><p id="cart"></p><p id="note"></p>
<form><input id="name"></form><select id="language"></select>
<button id="about">?</button><article id="more"></article>
<script type="module" src="/src/main.ts"></script>
</body></html>`,
  'src/main.ts': `import { getLanguage, type Language, languageName, languages, setLanguage, subscribe } from '~uilm'
import { CART_ITEMS, LINE_REMOVE } from '~uilm/cart'
import { APP_TITLE, FOOTER_NOTE } from '~uilm/common'

const element = (id: string) => document.getElementById(id)!
const show = (): void => {
  element('title').textContent = APP_TITLE()
  element('cart').textContent = CART_ITEMS({ count: 1 }) + '|' + CART_ITEMS({ count: 3 })
  element('note').textContent = FOOTER_NOTE({ year: 2026 })
}
const select = element('language') as HTMLSelectElement
select.replaceChildren(...languages.map((code) => new Option(languageName(code), code)))
select.value = getLanguage()
select.onchange = () => void setLanguage(select.value as Language)
element('about').onclick = () => void import('./about.ts').then(({ about }) => about(element('more')))
subscribe(show)
show()
// Nobody calls it: its text is in no file.
export const unused = () => LINE_REMOVE({ name: 'x' })
if (new URL(import.meta.url).hash === '#boom') throw new Error('boom')
`,
  'src/about.ts': `import { subscribe } from '~uilm'
import { ABOUT_BODY } from '~uilm/catalog'

export function about(where: HTMLElement): void {
  const show = (): void => void (where.textContent = ABOUT_BODY())
  subscribe(show)
  show()
}
`,
}
