import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMessage } from './message.ts'
import { parseTags, tagNamesOf } from './tags.ts'

const plain = { framework: 'plain' } as const
const all = { ...plain, selfClosing: true, numbered: true }
const parse = (text: string, options: Parameters<typeof parseTags>[1] = plain) =>
  parseTags(parseMessage(text, 'icu'), options)

describe('parseTags', () => {
  it('finds tags, nested tags and parameters inside', () => {
    expect(parse('I accept the <link>terms of <b>{name}</b></link>.').parts).toEqual([
      'I accept the ',
      { tag: 'link', children: ['terms of ', { tag: 'b', children: [{ param: 'name' }] }] },
      '.',
    ])
    expect(parse('<b></b>').parts).toEqual([{ tag: 'b', children: [''] }])
  })

  it('finds tags in the branches of a choice, and around it', () => {
    const { parts } = parse('<p>{n, plural, one {<b>one</b>} other {# <i>all</i>}}</p>')
    expect([...tagNamesOf(parts).keys()]).toEqual(['p', 'b', 'i'])
  })

  it.each([
    'press <Enter> or <Esc>',
    '</b> closes nothing',
    '1 < 2 > 1 <3',
    '<a href="/x">link</a>',
    '<b class>x</b >',
    'a<br/>b',
    '<0>x</0>',
    '< b>x</ b>',
    '<a" onclick="x">y</a>',
  ])('leaves %s as it is', (text) => {
    expect(parse(text)).toEqual({ parts: parseMessage(text, 'icu') })
  })

  it('reads self-closing and numbered tags by option', () => {
    expect(parse('a<br/>b<br />', all).parts).toEqual(['a', { tag: 'br' }, 'b', { tag: 'br' }])
    expect(parse('<0>x</0>', all).parts).toEqual([{ tag: '0', children: ['x'] }])
    expect(parse('<b>Press <Enter></b>').parts).toEqual([{ tag: 'b', children: ['Press <Enter>'] }])
  })

  it('distinguishes names, and self-closing tags from opening ones', () => {
    expect(parse('<h1>x</h1>').parts).toEqual([{ tag: 'h1', children: ['x'] }])
    expect(parse('<10>x</10>', all).parts).toEqual([{ tag: '10', children: ['x'] }])
    expect(parse('<b/>x</b>', all).parts).toEqual([{ tag: 'b' }, 'x</b>'])
    expect(parse('').parts).toEqual([''])
    // A parameter ends a tag name.
    expect(parse('<b>x </{p}b>')).toEqual({ parts: ['<b>x </', { param: 'p' }, 'b>'] })
  })

  it('reports a name with children, if one of its tags has any', () => {
    for (const text of ['<b/><b>x</b>', '<b>x</b><b/>']) {
      expect([...tagNamesOf(parse(text, all).parts)]).toEqual([['b', true]])
    }
    expect([...tagNamesOf(parse('<b/>', all).parts)]).toEqual([['b', false]])
  })

  it.each([
    ['<b>one <i>two</b> three</i>', 'i'],
    ['<b>one <b>two</b>', 'b'],
    ['</b>one<b>', 'b'],
    ['{n, select, a {<b>x} other {</b>y</b><b>}}', 'b'],
  ])('refuses %s', (text, tag) => {
    expect(parse(text)).toEqual({
      parts: parseMessage(text, 'icu'),
      error: `the tag ${tag} is opened and closed in wrong order`,
    })
  })

  it('keeps every character that is not part of a tag', () => {
    const piece = fc.constantFrom(
      '<b>',
      '</b>',
      '<i>',
      '</i>',
      '<br/>',
      '<0>',
      '</0>',
      '<',
      '>',
      'x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const { parts } = parseTags([text], all)
        const print = (one: readonly unknown[]): string =>
          one
            .map((part) => {
              if (typeof part === 'string') return part
              const { tag, children } = part as { tag: string; children?: readonly unknown[] }
              return children ? `<${tag}>${print(children)}</${tag}>` : `<${tag}/>`
            })
            .join('')
        expect(print(parts)).toBe(text)
      }),
    )
  })
})
