import { expect, it } from 'vitest'
import { messageCode } from './message-code.ts'

it('calls the generated function with the parameters of the message', () => {
  expect(messageCode('common', 'NAV_CART', [])).toBe(
    `import { NAV_CART } from '~uilm/common'\n\nNAV_CART()\n`,
  )
  expect(messageCode('cart', 'CART_ITEMS', ['count'])).toBe(
    `import { CART_ITEMS } from '~uilm/cart'\n\nCART_ITEMS({ count })\n`,
  )
  expect(messageCode('a', 'x-y', ['user.name'])).toMatch(/\{ "user\.name": '' \}/)
})
