import { expect, it } from 'vitest'
import { servedType } from './object-routes.ts'

it.each([
  'image/png',
  'IMAGE/PNG',
  'image/png; a=b',
  'image/png ;a="b"',
  'audio/mpeg',
  'video/mp4',
  'text/plain;charset=utf-8',
])('displays the type %j', (type) => {
  expect(servedType(type)).toEqual({ type, disposition: 'inline' })
})

it.each([
  'image/png,text/html',
  'image/png, text/html',
  'image/png; a=b, text/html',
  'image/png; a="b, text/html"',
  'image/png text/html',
  'image/png\ttext/html',
  'text/plain/html',
  'image/png; a=\nb',
  'image/png; a=\u{1f600}',
  'audio/x,text/html',
  ' text/html',
  'image',
  '',
  null,
])('downloads a file of the invalid type %j as bytes', (type) => {
  expect(servedType(type)).toEqual({
    type: 'application/octet-stream',
    disposition: 'attachment',
  })
})

it.each([
  'text/html',
  'image/svg+xml',
  'image/png-html',
  'text/plain-html',
  'application/xhtml+xml',
])('downloads the type %j', (type) => {
  expect(servedType(type)).toEqual({ type, disposition: 'attachment' })
})
