/**
 * Compiles the expression of a `Plural-Forms` header, a part of C, to a function of n.
 *
 * @throws SyntaxError
 */
export function compilePluralExpression(text: string): (n: number) => number {
  const tokens = text.match(/\d+|n|[<>=!]=|&&|\|\||[?:()%<>!+*/-]|\S/g) ?? []
  let at = 0
  const take = (...wanted: readonly string[]): string | undefined =>
    wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined
  const expect = (wanted: string): void => {
    if (!take(wanted)) throw new SyntaxError(`${wanted} is missing in "${text}"`)
  }
  type Evaluate = (n: number) => number
  const operand = (): Evaluate => {
    if (take('(')) {
      const inner = choice()
      expect(')')
      return inner
    }
    if (take('!')) {
      const inner = operand()
      return (n) => Number(!inner(n))
    }
    if (take('n')) return (n) => n
    const number = Number(tokens[at++])
    if (!Number.isInteger(number)) throw new SyntaxError(`"${text}" is not an expression of n`)
    return () => number
  }
  const level = (index: number): Evaluate => {
    const operators = levels[index]
    if (!operators) return operand()
    let left = level(index + 1)
    for (
      let found = take(...Object.keys(operators));
      found;
      found = take(...Object.keys(operators))
    ) {
      const [apply, before, after] = [operators[found]!, left, level(index + 1)]
      left = (n) => Number(apply(before(n), after(n)))
    }
    return left
  }
  const choice = (): Evaluate => {
    const condition = level(0)
    if (!take('?')) return condition
    const yes = choice()
    expect(':')
    const no = choice()
    return (n) => (condition(n) ? yes(n) : no(n))
  }
  const compiled = choice()
  if (at < tokens.length) throw new SyntaxError(`"${text}" is not an expression of n`)
  return compiled
}

/** Operators, those that bind least first. */
const levels: readonly Readonly<Record<string, (a: number, b: number) => number | boolean>>[] = [
  { '||': (a, b) => a !== 0 || b !== 0 },
  { '&&': (a, b) => a !== 0 && b !== 0 },
  { '==': (a, b) => a === b, '!=': (a, b) => a !== b },
  {
    '<': (a, b) => a < b,
    '>': (a, b) => a > b,
    '<=': (a, b) => a <= b,
    '>=': (a, b) => a >= b,
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => Math.trunc(a / b), '%': (a, b) => a % b },
]
