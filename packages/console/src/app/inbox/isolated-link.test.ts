import { expect, it } from 'vitest'
import { isolatedLink } from './isolated-link.ts'

const open = (link: string, host: string): string | undefined => isolatedLink(link, { host })?.href

it('opens a link to the platform on the other loopback name', () => {
  expect(open('http://127.0.0.1:4600/a?code=1', '127.0.0.1:4600')).toBe(
    'http://localhost:4600/a?code=1',
  )
  expect(open('http://localhost:4600/a', 'localhost:4600')).toBe('http://127.0.0.1:4600/a')
})

it('keeps a link to another program, and to a server', () => {
  expect(open('http://localhost:5173/activate', 'localhost:4600')).toBeUndefined()
  expect(open('https://platform.example.com/a', 'platform.example.com')).toBeUndefined()
})
