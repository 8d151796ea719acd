import { expect, it } from 'vitest'
import { shortcutOf } from './shortcuts.ts'

const press = (key: string, code: string, more = {}) =>
  shortcutOf({ key, code, altKey: false, ctrlKey: false, metaKey: false, target: null, ...more })

it('names the shortcuts of the page, also on keyboards that type other letters', () => {
  expect(press('/', 'Digit7')).toBe('search')
  expect(press('?', 'Slash')).toBe('help')
  expect(press('s', 'KeyS', { ctrlKey: true })).toBe('save')
  expect(press('s', 'KeyS', { metaKey: true })).toBe('save')
  expect(press('π', 'KeyP', { altKey: true })).toBe('publish')
  expect(press('˜', 'KeyN', { altKey: true })).toBe('nextMissing')
  expect(press('®', 'KeyR', { altKey: true })).toBe('review')
  expect(press('n', 'KeyN')).toBeUndefined()
  // AltGr is Ctrl and Alt on Windows.
  expect(press('ń', 'KeyN', { altKey: true, ctrlKey: true })).toBeUndefined()
})
