import { findInstalled } from '@servicekit/core/node'

/** Oldest version of TypeScript that compiles the declarations and the generated code. */
export const oldestTypeScript = '5.0'

/** Returns the TypeScript version of the application in a folder; undefined if it has none. */
export const typeScriptVersion = (root: string): string | undefined =>
  findInstalled('typescript', root)?.version

/**
 * Returns whether a TypeScript version reads `export { a as "a-b" }`, which is a syntax error
 * before 5.6. An application without TypeScript is read by the newest one, that of an editor.
 */
export const supportsStringExports = (version: string | undefined): boolean =>
  version === undefined || !isOlder(version, '5.6')

/** Returns whether a version is older than another one, of the form `5.6`. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number)
  return major < thanMajor || (major === thanMajor && minor < thanMinor)
}
