import { stringProblem } from './storable.ts'

const maxLanguageLength = 64

/**
 * Returns why a text cannot be a language code, as the end of a sentence; undefined if it can be
 * one. Codes are parts of file names. The platform accepts what a build accepts: both use the functions of this file.
 */
export function languageCodeProblem(code: string): string | undefined {
  if (code.length > maxLanguageLength)
    return `cannot be longer than ${maxLanguageLength} characters`
  // Tables by language are objects, which inherit members such as `constructor`.
  if (code in Object.prototype) return 'cannot be the name of a member of every object'
  return /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/.test(code)
    ? undefined
    : 'must consist of letters and digits, separated by - or _, such as de-DE'
}

/** Returns why a text cannot be a key or the name of a module, as the end of a sentence. */
export const nameProblem = (name: string): string | undefined =>
  name.trim() === '' ? 'cannot be blank' : stringProblem(name)

/**
 * Returns the file name of a language code or module name. Characters that are safe on
 * every file system are kept, others become `%xx`. The result is never empty, `.`, `..`,
 * a hidden file, a path, a Windows device name, a folder of packages or too long.
 */
export function fileNameOf(name: string): string {
  const encoded = encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll(/[!'()*~]/g, percent)
    .replace(/^\.|\.$/g, percent)
  if (encoded === '') return '%'
  // File systems limit a name to 255 bytes, including any suffix.
  const short = encoded.length > 180 ? `${encoded.slice(0, 150)}%~${fingerprint(name)}` : encoded
  return /^(?:con|prn|aux|nul|com\d|lpt\d|node_modules)(?:\.|$)/i.test(short)
    ? percent(short[0]!) + short.slice(1)
    : short
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Returns 16 hexadecimal digits (two FNV-1a hashes) that distinguish truncated names. */
function fingerprint(text: string): string {
  const sum = (seed: number): string => {
    let hash = seed
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    }
    return (hash >>> 0).toString(16).padStart(8, '0')
  }
  return sum(0x811c9dc5) + sum(0x1b873593)
}

/**
 * Returns two names that would share a file if case and composition of letters are ignored, as on
 * most laptops; undefined if there are none.
 */
export function fileClash(names: readonly string[]): readonly [string, string] | undefined {
  const taken = new Map<string, string>()
  for (const name of names) {
    // Before encoding: generated files have letters that `fileNameOf` encodes, such as Ä and ä.
    const file = fileNameOf(name.normalize().toLowerCase()).toLowerCase()
    const twin = taken.get(file)
    if (twin !== undefined && twin !== name) return [twin, name]
    taken.set(file, name)
  }
  return undefined
}
