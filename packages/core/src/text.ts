/**
 * Replaces control characters by spaces and truncates long text. Names and messages may
 * come from a service: they must not forge a line of ours or send an escape sequence to a
 * terminal.
 */
export const toSingleLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
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
