import { escapeInvisible } from './visible.ts'

/**
 * Replaces line breaks by spaces, escapes control and bidirectional characters, and truncates long
 * text. Names and messages may come from a service: they must not forge a line of ours, send an
 * escape sequence to a terminal, or change the direction of the text.
 */
export const toSingleLine = (text: string): string => {
  const line = escapeInvisible(text.replaceAll(/[\t-\r\u0085\u2028\u2029]+/g, ' '))
  return line.length > 600 ? `${line.slice(0, 599)}…` : line
}

/** Returns the text with its first character in upper case. */
export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Formats `3 files`, `1 file` or `1,234 files`, in the same way on every machine. */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

/**
 * Returns true for text of visible ASCII characters, which every header can carry. Others make
 * `Headers` throw, or are sent as other characters.
 */
export const isVisibleAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)
