import { expect, it } from 'vitest'
import { messageCode } from './message-code.ts'

it('calls the generated function with the parameters of the message', () => {
  expect(messageCode({ module: 'common', key: 'NAV_CART' }, 'Cart')).toBe(
    `import { NAV_CART } from '~uilm/common'\n\nNAV_CART()\n`,
  )
  expect(messageCode({ module: 'cart', key: 'CART_ITEMS_other' }, '{{count}} of {{count}}')).toBe(
    `import { CART_ITEMS } from '~uilm/cart'\n\nCART_ITEMS({ count })\n`,
  )
  expect(messageCode({ module: 'a', key: 'x-y' }, '{{user.name}}')).toMatch(
    /\{ "user\.name": '' \}/,
  )
})
