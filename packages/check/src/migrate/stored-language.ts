import { ts } from 'ts-morph'
import { extractScript } from '../usage/extract-script.ts'
import { isTest } from '../usage/passed-translators.ts'
import { property, unwrap } from '../usage/possible-strings.ts'
import type { SourceFile } from '../usage/read-sources.ts'

/** Place at which the other library stores the selected language. */
export interface StoredLanguage {
  /** Key in the storage of the browser, or name of the cookie. */
  readonly key: string
  /** File that decides about it, relative to the root, with `/` separators. */
  readonly file: string
}

/**
 * Finds the key under which an application of i18next or vue-i18n stores the language in the
 * browser, and the cookie of one of next-intl. Returns undefined if it is not visible, or is not
 * the only one.
 */
export function findStoredLanguage(files: readonly SourceFile[]): StoredLanguage | undefined {
  const own = files
    .filter(({ path, text }) => !isTest(path) && storing.test(text))
    .map(({ path, text }): ParsedFile => {
      const script = extractScript(path, text)
      const source = ts.createSourceFile(
        `/${script.name}`,
        script.text,
        ts.ScriptTarget.Latest,
        true,
      )
      return { path, text, source }
    })
  const isIntl = own.some(({ text }) => /['"]next-intl['"/]/.test(text))
  if (isIntl) return routingCookie(own) ?? onlyOne(own, readsCookie)
  return own.some(({ text }) => detector.test(text)) ? detectorKey(own) : onlyOne(own, readsStorage)
}

interface ParsedFile extends SourceFile {
  readonly source: ts.SourceFile
}

const detector = /['"]i18next-browser-languagedetector['"]/
/** Files that may store a language, or name the place. */
const storing = /\blocalStorage\b|['"]next-intl\/|\bcookies\b|LocalStorage\b|languagedetector\b/

/** Ends like a name of a language: `i18nextLng`, `app-language`, `NEXT_LOCALE`. */
const isLanguageName = (name: string): boolean => /(?:lang(?:uage)?|locale|lng)$/i.test(name)

/** Returns the cookie of `defineRouting` or `createMiddleware`. */
function routingCookie(files: readonly ParsedFile[]): StoredLanguage | undefined {
  for (const { path, text, source } of files) {
    if (!/['"]next-intl\/(?:routing|middleware)['"]/.test(text)) continue
    for (const { expression, arguments: given } of nodesIn(source, ts.isCallExpression)) {
      // The middleware may get the routing of another file.
      const options = given[0] && unwrap(given[0])
      if (!/^(?:defineRouting|createMiddleware)$/.test(expression.getText())) continue
      if (!options || !ts.isObjectLiteralExpression(options)) continue
      const cookie = property(options, 'localeCookie')
      if (cookie && !ts.isObjectLiteralExpression(cookie)) return undefined
      const name = cookie && property(cookie, 'name')
      const key = name ? stringOf(name) : 'NEXT_LOCALE'
      return key === undefined ? undefined : { key, file: path }
    }
  }
  return undefined
}

/** Returns the key of `i18next-browser-languagedetector`, from the options of i18next. */
function detectorKey(files: readonly ParsedFile[]): StoredLanguage | undefined {
  const named = (name: string) =>
    files.flatMap(({ path, source }) =>
      nodesIn(source, ts.isPropertyAssignment)
        .filter((one) => one.name.getText() === name)
        .map(({ initializer }) => ({ path, value: unwrap(initializer) })),
    )
  const isStored = named('caches').every(
    ({ value }) =>
      ts.isArrayLiteralExpression(value) &&
      value.elements.some((one) => stringOf(one) === 'localStorage'),
  )
  if (!isStored) return undefined
  const [key, ...others] = named('lookupLocalStorage')
  if (!key) {
    const { path } = files.find(({ text }) => detector.test(text))!
    return { key: 'i18nextLng', file: path }
  }
  const text = others.length === 0 ? stringOf(key.value) : undefined
  return text === undefined ? undefined : { key: text, file: key.path }
}

/** Returns the only key of a language that the application reads itself. */
function onlyOne(
  files: readonly ParsedFile[],
  read: (node: ts.Node) => ts.Expression | string | undefined,
): StoredLanguage | undefined {
  const found = files.flatMap(({ path, source }) =>
    nodesIn(source, isNode).flatMap((node) => {
      const name = read(node)
      const key = typeof name === 'object' ? stringOf(name) : name
      return key !== undefined && isLanguageName(key) ? [{ key, path, node }] : []
    }),
  )
  const [first] = found
  if (!first || found.some(({ key, node }) => key !== first.key || isParsed(node))) return undefined
  return { key: first.key, file: first.path }
}

/** Returns the key of `localStorage.getItem(key)`, `localStorage[key]` or `localStorage.key`. */
function readsStorage(node: ts.Node): ts.Expression | string | undefined {
  if (ts.isElementAccessExpression(node)) {
    return isStorage(node.expression) ? node.argumentExpression : undefined
  }
  if (ts.isPropertyAccessExpression(node)) {
    return isStorage(node.expression) ? node.name.text : undefined
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined
  const { expression: object, name } = node.expression
  return name.text === 'getItem' && isStorage(object) ? node.arguments[0] : undefined
}

/** Returns the name of `cookies().get(name)` or `store.get(name)`. */
function readsCookie(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined
  const { expression: object, name } = node.expression
  const isCookies = name.text === 'get' && /cookie|^store$/i.test(object.getText())
  return isCookies ? node.arguments[0] : undefined
}

const isStorage = (node: ts.Expression): boolean =>
  /^(?:(?:window|globalThis)\??\.)?localStorage$/.test(node.getText())

/** Returns whether a value is stored in another form than the code itself. */
const isParsed = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && /\bparse$/.test(parent.expression.getText())

/** Returns the value of a literal, or of a constant of the same file. */
function stringOf(node: ts.Expression): string | undefined {
  const value = unwrap(node)
  if (ts.isStringLiteralLike(value)) return value.text
  if (!ts.isIdentifier(value)) return undefined
  const declared = nodesIn(node.getSourceFile(), ts.isVariableDeclaration).find(
    ({ name }) => name.getText() === value.text,
  )
  return declared?.initializer && ts.isStringLiteralLike(unwrap(declared.initializer))
    ? stringOf(declared.initializer)
    : undefined
}

const isNode = (node: ts.Node): node is ts.Node => node.kind !== ts.SyntaxKind.Unknown

function nodesIn<T extends ts.Node>(source: ts.Node, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = []
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
