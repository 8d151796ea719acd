import type { GatewayAny, GatewayParse } from './gateway.js'

/** Strings and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** Parses JSON whose whole numbers may exceed 2^53, where a number of JavaScript rounds them. */
function parse(text: string, replace: (digits: string) => string): GatewayAny {
  // Only numbers of 16 digits and more can be rounded.
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const exact = text.replace(tokens, (token) => {
    const isRounded = /^-?\d{16,}$/.test(token) && String(Number(token)) !== token
    return isRounded ? replace(token) : token
  })
  return JSON.parse(exact)
}

/**
 * Parses a response whose fields of type Long are numbers.
 *
 * @throws Error `LONG_ROUNDED` instead of returning a number that is rounded.
 * @internal
 */
export const parseExactly: GatewayParse = (text) =>
  parse(text, (digits) => {
    const message = `The response contains ${digits}, which a number would round. Leave the field out of the selection`
    throw Object.assign(new RangeError(message), { code: 'LONG_ROUNDED' })
  })
