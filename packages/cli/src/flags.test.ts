import { ConfigError } from '@servicekit/client'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseFlags, parseTextFlags } from './flags.ts'

const description = 'Text'
const flags = {
  name: { type: 'positional', description },
  out: { type: 'string', valueHint: 'DIR', description },
  role: { type: 'list', description },
  json: { type: 'boolean', description },
} as const
const files = { 'file...': { type: 'positional', description } } as const
const none = { name: undefined, out: undefined, role: undefined, json: undefined }

it.each([
  [[], none],
  [['a'], { ...none, name: 'a' }],
  [['--', '--json'], { ...none, name: '--json' }],
  [['--out', '-'], { ...none, out: '-' }],
  [['--out=--json'], { ...none, out: '--json' }],
  [['--out', 'a', '--out', 'b'], { ...none, out: 'b' }],
  [['--role', 'a, b', 'n', '--role=c'], { ...none, name: 'n', role: ['a', 'b', 'c'] }],
  [['--json'], { ...none, json: true }],
  [['--no-json'], { ...none, json: false }],
  [['--json=false'], { ...none, json: false }],
  [['--json', '--no-json'], { ...none, json: false }],
])('reads %j', (args, expected) => {
  expect(parseFlags(args, flags)).toEqual(expected)
})

it('reads any number of files', () => {
  expect(parseFlags(['a', 'b'], files)).toEqual({ 'file...': ['a', 'b'] })
  expect(parseFlags([], files)).toEqual({ 'file...': [] })
})

it('reads flags as text, with the values of a repeated one joined', () => {
  const text = parseTextFlags(['--role', 'a', '--role', 'b', '--json', '--no-json'], flags)
  expect([...text]).toEqual([
    ['role', 'a,b'],
    ['json', 'false'],
  ])
})

it.each([
  [['--outt', 'x'], 'Unknown flag "--outt". Did you mean "--out"?'],
  [['-x'], 'Unknown flag "-x"'],
  [['--no-out'], 'Unknown flag "--no-out"'],
  [['--constructor'], 'Unknown flag "--constructor"'],
  [['a', 'b'], 'Unexpected argument "b"'],
  [['--out'], '--out requires a value'],
  [['--out='], '--out requires a value'],
  [['--out', ''], '--out requires a value'],
  [['--out', '--json'], '--out requires a value'],
  [['--json=yes'], '--json must be true or false (received "yes")'],
])('refuses %j', (args, message) => {
  expect(() => parseFlags(args, flags)).toThrow(ConfigError)
  expect(() => parseFlags(args, flags)).toThrow(message)
})

/** Returns the values of arguments, or the error that refuses them. */
function read(args: readonly string[]) {
  try {
    return parseFlags(args, flags)
  } catch (error) {
    return error
  }
}

it('reads or refuses any arguments', () => {
  const argument = fc.oneof(
    fc.constantFrom('--out', '--role', '--json', '--no-json', '--', '-', '--no-', '--=', 'a'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(argument), (args) => {
      const result = read(args)
      const names = result instanceof ConfigError ? [] : Object.keys(result as object)
      expect([[], Object.keys(flags)]).toContainEqual(names)
    }),
  )
})
