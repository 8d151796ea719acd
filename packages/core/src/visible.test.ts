import { expect, it } from 'vitest'
import { escapeInvisible, escapeOutput } from './visible.ts'

it.each([
  ['a zero-width space in a name', 'pay\u200bpal', 'pay\\u200bpal'],
  ['a joiner in a name', 'ad\u200dmin', 'ad\\u200dmin'],
  ['a non-joiner after Cyrillic', 'да\u200cта', 'да\\u200cта'],
  ['each of several', 'a\u200b\u200d\u2060b', 'a\\u200b\\u200d\\u2060b'],
  ['one at the start', '\u200ba', '\\u200ba'],
  ['a word joiner and invisible operators', 'ي\u2060\u2064', 'ي\\u2060\\u2064'],
  ['a tag', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['a tag after a flag', '\u{1f3f4}\u{e0067}', '🏴\\udb40\\udc67'],
  ['a directional mark', 'a\u202eb', 'a\\u202eb'],
])('escapes %s', (_, text, escaped) => {
  expect(escapeInvisible(text)).toBe(escaped)
  expect(escapeOutput(`${text}\n`)).toBe(`${escaped}\n`)
})

it.each([
  ['Persian', 'می\u200cخواهم'],
  ['Hindi', 'क्\u200dष'],
  ['Khmer', 'ភាសា\u200bខ្មែរ'],
  ['emoji', '👩\u200d💻 ❤️\u200d🔥'],
  ['German', 'Größe „Äpfel“'],
])('leaves the text of %s as it is', (_, text) => {
  expect(escapeInvisible(text)).toBe(text)
  expect(escapeOutput(text)).toBe(text)
})
