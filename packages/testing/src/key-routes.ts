/** Way in which an application can name a key, `NAME`, of a module. */
interface KeyRoute {
  /** Code of `src/main.js`. */
  readonly main: string
  /** Code of `src/other.js`, which `main.js` imports. */
  readonly other?: string
  /** Code of `src/third.js`, which `other.js` imports. */
  readonly third?: string
  /** Bundlers whose builds do not see that the key is unknown. */
  readonly unseen?: readonly string[]
  /** `true` if `servicekit check` does not see it; TypeScript does, with types. */
  readonly isUnchecked?: boolean
}

const all = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild']

const routes: Readonly<Record<string, KeyRoute>> = {
  'a list of imports': { main: "import { NAME } from '~uilm/cart'\nNAME()" },
  'a list of exports': { main: "export { NAME } from '~uilm/cart'" },
  'a namespace': { main: "import * as cart from '~uilm/cart'\ncart.NAME()" },
  'a destructured namespace': {
    main: "import * as cart from '~uilm/cart'\nconst { NAME } = cart\nNAME()",
  },
  'an index of a namespace': { main: "import * as cart from '~uilm/cart'\ncart['NAME']()" },
  'a dynamic import': { main: "const cart = await import('~uilm/cart')\ncart.NAME()" },
  'a destructured dynamic import': {
    main: "const { NAME: one } = await import('~uilm/cart')\none()",
  },
  'a member of a dynamic import': { main: "(await import('~uilm/cart')).NAME()" },
  'a template as an index': { main: "import * as cart from '~uilm/cart'\ncart[`NAME`]()" },
  'a promise of a dynamic import': {
    main: "const loaded = import('~uilm/cart')\nconst cart = await loaded\ncart.NAME()",
  },
  'a callback of a promise': {
    main: "const loaded = import('~uilm/cart')\nawait loaded.then(({ NAME }) => NAME())",
  },
  'a function that imports': {
    main: "const load = () => import('~uilm/cart')\nconst { NAME } = await load()\nNAME()",
  },
  'a callback of a dynamic import': {
    main: "await import('~uilm/cart').then(({ NAME }) => NAME())",
  },
  'a list of dynamic imports': {
    main: "const [, cart] = await Promise.all([fetch('/prices'), import('~uilm/cart')])\ncart.NAME()",
    isUnchecked: true,
  },
  'a destructured list of dynamic imports': {
    main: "const [{ NAME: one }] = await Promise.all([import('~uilm/cart')])\none()",
    isUnchecked: true,
  },
  'a namespace that is assigned': {
    main: "import * as cart from '~uilm/cart'\nlet basket\nbasket = cart\nbasket.NAME()",
    isUnchecked: true,
  },
  'a namespace in a nested object': {
    main: "import * as cart from '~uilm/cart'\nconst all = { shop: { cart } }\nall.shop.cart.NAME()",
  },
  'a namespace that is exported': {
    main: "import { cart } from './other.js'\ncart.NAME()",
    other: "export * as cart from '~uilm/cart'",
    unseen: ['esbuild'],
  },
  'a namespace under another name': {
    main: "import * as cart from '~uilm/cart'\nconst basket = cart\nbasket.NAME()",
  },
  'a module that is exported as a whole': {
    main: "import { NAME } from './other.js'\nNAME()",
    other: "export * from '~uilm/cart'",
    isUnchecked: true,
  },
  'a module that is exported through two files': {
    main: "import { NAME } from './other.js'\nNAME()",
    other: "export * from './third.js'",
    third: "export * from '~uilm/cart'",
    isUnchecked: true,
  },
  'a list of exports through two files': {
    main: "import { label } from './other.js'\nlabel()",
    other: "export { label } from './third.js'",
    third: "export { NAME as label } from '~uilm/cart'",
  },
  'a namespace that is exported through two files': {
    main: "import { cart } from './other.js'\ncart.NAME()",
    other: "export { cart } from './third.js'",
    third: "export * as cart from '~uilm/cart'",
    unseen: ['esbuild'],
  },
  'a namespace that is imported and exported': {
    main: "import { cart } from './other.js'\ncart.NAME()",
    other: "import * as cart from '~uilm/cart'\nexport { cart }",
    unseen: ['esbuild'],
  },
  'a namespace of an exporting file': {
    main: "import * as all from './other.js'\nall.cart.NAME()",
    other: "export * as cart from '~uilm/cart'",
    unseen: ['esbuild'],
  },
  'a namespace that is exported as default': {
    main: "import cart from './other.js'\ncart.NAME()",
    other: "import * as cart from '~uilm/cart'\nexport default cart",
    unseen: ['vite', 'rolldown', 'esbuild'],
  },
  'a destructured exported namespace': {
    main: "import { cart } from './other.js'\nconst { NAME } = cart\nNAME()",
    other: "export * as cart from '~uilm/cart'",
    unseen: all,
  },
  'a destructured namespace with a default': {
    main: "import * as cart from '~uilm/cart'\nconst { NAME = () => '' } = cart\nNAME()",
  },
  'a destructured namespace with the rest': {
    main: "import * as cart from '~uilm/cart'\nconst { NAME, ...rest } = cart\nNAME(rest)",
  },
  'a namespace that is passed as a value': {
    main: "import * as cart from '~uilm/cart'\nconst show = (messages) => messages.NAME()\nshow(cart)",
    unseen: all,
    isUnchecked: true,
  },
  'a namespace in an object': {
    main: "import * as cart from '~uilm/cart'\nconst all = { cart }\nall.cart.NAME()",
  },
  'a member of a component': {
    main: "import * as cart from '~uilm/cart'\nexport const element = (h) => h(cart.NAME)",
  },
}

/** Ways in which an application can name a key, by description. */
export const keyRoutes: readonly (readonly [route: string, KeyRoute])[] = Object.entries(routes)

/** Returns the files of an application that names a key of `~uilm/cart` in one way. */
export function routeFiles(route: string, name: string): Record<string, string> {
  const { unseen: _, isUnchecked: __, ...files } = routes[route]!
  return Object.fromEntries(
    Object.entries(files).map(([file, code]) => [
      `src/${file}.js`,
      `${code.replaceAll('NAME', name)}\n`,
    ]),
  )
}
