import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import type { MarkupFramework } from '../syntax/tags.ts'
import { markup } from '../../runtime/react-markup.js'
import { markupTypes } from './markup.ts'

describe('the type of messages with tags', () => {
  it('is not declared without a framework', () => {
    expect(markupTypes(undefined)).toBe('')
  })

  const declared = (framework: MarkupFramework) =>
    markupTypes({ framework }).replace(/^\/\*\*[^/]*\*\/\n/, '')

  it('has the types of nodes of each framework', () => {
    expect(declared('plain')).toMatchInlineSnapshot(`
      "export type MarkupMessage<T extends string, S extends string, A> = <R = string>(
        args: A & { readonly [tag in T]: (children: (string | R)[]) => R } & { readonly [tag in S]: () => R },
      ) => (string | R)[]

      "
    `)
    expect(declared('react')).toMatchInlineSnapshot(`
      "export type MarkupMessage<T extends string, S extends string, A> = (
        args: A & { readonly [tag in T]: (children: import('react').ReactNode) => import('react').ReactNode } & { readonly [tag in S]: () => import('react').ReactNode },
      ) => import('react').ReactNode

      "
    `)
    expect(declared('vue')).toMatchInlineSnapshot(`
      "export type MarkupMessage<T extends string, S extends string, A> = (
        args: A & { readonly [tag in T]: (children: import('vue').VNodeArrayChildren) => import('vue').VNodeArrayChildren[number] } & { readonly [tag in S]: () => import('vue').VNodeArrayChildren[number] },
      ) => (string | import('vue').VNodeArrayChildren[number])[]

      "
    `)
    expect(declared('svelte')).toMatchInlineSnapshot(`
      "export type MarkupMessage<T extends string, S extends string, A> = (
        args: A & { readonly [tag in T]: (children: unknown[]) => unknown } & { readonly [tag in S]: () => unknown },
      ) => (string | unknown)[]

      "
    `)
    expect(declared('solid')).toMatchInlineSnapshot(`
      "export type MarkupMessage<T extends string, S extends string, A> = (
        args: A & { readonly [tag in T]: (children: import('solid-js').JSX.Element) => import('solid-js').JSX.Element } & { readonly [tag in S]: () => import('solid-js').JSX.Element },
      ) => (string | import('solid-js').JSX.Element)[]

      "
    `)
  })
})

describe('the module for React', () => {
  type Args = Readonly<Record<string, unknown>>
  type Tag = (children?: ReactNode) => ReactNode

  const b: Tag = (children) => createElement('b', null, children)

  it('renders a message as one node, whose parts need no keys', async () => {
    const warn = vi.spyOn(console, 'error').mockReturnValue()
    const message: (args: Args) => ReactNode = markup(({ name, b: bold, br }: Args) => [
      'Hello ',
      (bold as Tag)(['dear ', (bold as Tag)(['x']), name] as ReactNode),
      (br as Tag)(),
    ])
    const node = message({ name: 'Ada', b, br: () => createElement('br') })
    expect(renderToStaticMarkup(createElement('p', null, node))).toBe(
      '<p>Hello <b>dear <b>x</b>Ada</b><br/></p>',
    )
    expect(warn).not.toHaveBeenCalled()
  })

  it('keeps the properties of the message, and a string as it is', async () => {
    const message = markup(Object.assign(() => 'text', { key: 'A' }))
    expect(message.key).toBe('A')
    expect((message as (args: Args) => string)({})).toBe('text')
  })
})
