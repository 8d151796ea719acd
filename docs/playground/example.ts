import type { Sources } from './compile.ts'

/** Messages and code that the playground begins with. */
export const example: Sources = {
  syntax: 'double-brace',
  files: {
    en: `{
  "welcome": "Welcome back, {{name}}!",
  "cart_one": "{{count}} item in your cart",
  "cart_other": "{{count}} items in your cart",
  "checkout": "Check out",
  "notOnThisPage": "Nobody downloads this text."
}
`,
    de: `{
  "welcome": "Willkommen zurück, {{name}}!",
  "cart_one": "{{count}} Artikel im Warenkorb",
  "cart_other": "{{count}} Artikel im Warenkorb",
  "checkout": "Zur Kasse"
}
`,
    ar: `{
  "welcome": "مرحبًا بعودتك يا {{name}}!",
  "cart_zero": "سلتك فارغة",
  "cart_one": "منتج واحد في سلتك",
  "cart_two": "منتجان في سلتك",
  "cart_few": "{{count}} منتجات في سلتك",
  "cart_many": "{{count}} منتجًا في سلتك",
  "cart_other": "{{count}} منتج في سلتك",
  "checkout": "الدفع"
}
`,
  },
  code: `import { cart, checkout, welcome } from '~uilm/app'

document.title = welcome({ name: 'Ada' })
document.body.append(cart({ count: 3 }), checkout())

// Try: welcome(), cart({ count: '3' }), or a key that does not exist.
`,
}
