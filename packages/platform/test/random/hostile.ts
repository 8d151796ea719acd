import type { Random } from '@servicekit/testing/random'

const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then', '$ref']
const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u001b[31m\r\n',
  '\u202e\u2066\ufeff',
  '\ud800',
  '🏳️‍🌈'.repeat(50),
  'ﷺ'.repeat(200),
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '../../etc/passwd',
  '%00%2e%2e%2f',
  'http://127.0.0.1:1/',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '[]',
  '2026-02-30T25:61:61Z',
  '00000000-0000-0000-0000-000000000000',
]
const numbers = [0, -0, -1, 1.5, 1e21, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63)]

/** Returns a string that no application sends. */
export function hostileText(random: Random): string {
  const kind = random.below(10)
  if (kind < 3) return random.pick(names)
  if (kind === 3)
    return random.pick(['a', 'é', '\u0000', '{', '9']).repeat(1 + random.below(20_000))
  if (kind === 4)
    return String.fromCharCode(...Array.from({ length: 20 }, () => random.below(65_536)))
  return random.pick(texts)
}

/** Returns a JSON value of any type. */
function hostileValue(random: Random): unknown {
  switch (random.below(9)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.pick(numbers)
    case 3:
      return []
    case 4:
      return [hostileText(random), null, {}]
    case 5:
      return named(random)
    case 6:
      return deep(1 + random.below(2000), random.chance(0.5))
    default:
      return hostileText(random)
  }
}

/** Returns an object whose own members have the names of inherited ones. */
const named = (random: Random): unknown =>
  JSON.parse(`{"__proto__": {"isAdmin": true}, ${JSON.stringify(random.pick(names))}: "x"}`)

function deep(depth: number, isList: boolean): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value }
  return value
}

/** Returns a copy of a value with an invalid part. */
export function mutated(value: unknown, random: Random): unknown {
  const isObject = typeof value === 'object' && value !== null
  if (!isObject || random.chance(0.1)) return hostileValue(random)
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostileValue(random)]
    const at = random.below(value.length)
    return value.map((one: unknown, index) => (index === at ? mutated(one, random) : one))
  }
  const members = Object.entries(value)
  const kind = random.below(5)
  if (kind === 0 || members.length === 0) {
    return Object.fromEntries([...members, [hostileText(random), hostileValue(random)]])
  }
  const at = random.below(members.length)
  if (kind === 1) return Object.fromEntries(members.filter((_, index) => index !== at))
  return Object.fromEntries(
    members.map(([name, one], index) => [name, index === at ? mutated(one, random) : one]),
  )
}
