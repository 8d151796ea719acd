import { createSSRApp, h, type VNode } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { expect, it } from 'vitest'
import { Markup } from '../runtime/vue-markup.js'

/** Arguments that are tags or are concatenated. */
type Arguments = Readonly<Record<string, (children: readonly unknown[]) => unknown>>

/** Renders a message, whose function is like those of packs. */
const html = async (
  message: (args: Arguments) => unknown,
  props: { args?: object; slots?: readonly (number | string)[] },
  slots: Record<string, (props: { readonly children: VNode }) => unknown>,
): Promise<string> => {
  const app = createSSRApp({ render: () => h(Markup as never, { message, ...props }, slots) })
  return (await renderToString(app)).replaceAll(/<!--.*?-->/g, '')
}

const bold = (text: string) => (): VNode => h('b', text)

it('fills a parameter with a slot', async () => {
  const hello = (a: Arguments) => 'Hello ' + a['name'] + '!'
  expect(await html(hello, { slots: ['name'] }, { name: bold('Ada') })).toBe('Hello <b>Ada</b>!')
})

it.each(['\uF8FEname\uF8FF', '\uF8FEother\uF8FF', '\uF8FF', '0.50', '0'])(
  'shows %j of a message or an argument as it is',
  async (text) => {
    const message = (a: Arguments) => text + a['name'] + a['text']
    const props = { args: { text }, slots: ['name'] }
    expect(await html(message, props, { name: bold('Ada') })).toBe(`${text}<b>Ada</b>${text}`)
  },
)

it('fills parameters within nested tags, of any name and more than once', async () => {
  const message = (a: Arguments) => [
    a['link']?.(['to ', a['b']?.([a['a\nb'], ' and ', a[1]])]),
    ' ' + a['a\nb'],
  ]
  const slots = {
    'a\nb': bold('A'),
    1: bold('B'),
    link: ({ children }: { readonly children: VNode }) => h('a', children),
  }
  expect(await html(message, { slots: ['a\nb', 1] }, slots)).toBe(
    '<a>to <b>A</b> and <b>B</b></a> <b>A</b>',
  )
})

it('shows nothing for a slot that is not given', async () => {
  const message = (a: Arguments) => 'Hello ' + a['name'] + '!'
  expect(await html(message, { slots: ['name'] }, {})).toBe('Hello !')
})
