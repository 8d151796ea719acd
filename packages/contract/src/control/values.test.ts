import { expect, it } from 'vitest'
import { Origin } from './values.ts'

it.each([
  ['https://app.example/', 'https://app.example'],
  ['https://app.example.', 'https://app.example'],
  ['https://app.example.:8443', 'https://app.example:8443'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('the origin %s is %s, as browsers send it', (text, origin) => {
  expect(Origin.parse(text)).toBe(origin)
})
