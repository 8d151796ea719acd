import { ConfigError } from '@servicekit/client'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Flags, flagValues, isSet, readArguments, textFlags } from './flags.ts'

const description = 'Text'
const flags = {
  name: { type: 'positional', description },
  out: { type: 'string', valueHint: 'DIR', description },
  role: { type: 'list', description },
  json: { type: 'boolean', description },
  count: { type: 'integer', range: [1, 9], description },
} as const
/** Reads arguments as a command does. */
function parseFlags(args: readonly string[], own: Flags) {
  const given = readArguments(args, own)
  if (given.problem) throw given.problem
  return flagValues(given, own)
}

const files = { 'file...': { type: 'positional', description } } as const
const none = { name: undefined, out: undefined, role: undefined, json: undefined, count: undefined }

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
  [['--count', '3'], { ...none, count: 3 }],
  [['--out', '-y', '-y'], { ...none, out: '-y' }],
])('reads %j', (args, expected) => {
  expect(parseFlags(args, flags)).toEqual(expected)
})

it.each([
  [['-y'], 'yes', true],
  [['--yes', 'a'], 'yes', true],
  [['-h'], 'help', true],
  [['--outt', '--help'], 'help', true],
  [['--out', '-y'], 'yes', false],
  [['--', '-h', '--json'], 'help', false],
  [['--', '-h', '--json'], 'json', false],
  [['--out=--json'], 'json', false],
  [['-x', '--json'], 'json', true],
])('reads %j: %s is %j', (args, name, expected) => {
  expect(isSet(readArguments(args, flags), name)).toBe(expected)
})

it('reads any number of files', () => {
  expect(parseFlags(['a', 'b'], files)).toEqual({ 'file...': ['a', 'b'] })
  expect(parseFlags([], files)).toEqual({ 'file...': [] })
})

it('reads flags as text, with the values of a repeated one joined', () => {
  const args = ['--role', 'a', '--role', 'b', '--json', '--no-json', '-y']
  const text = textFlags(readArguments(args, flags), flags)
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
  [['--count', '10'], '--count must be an integer between 1 and 9 (received "10")'],
  [['--count', '1e0'], 'received "1e0"'],
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
