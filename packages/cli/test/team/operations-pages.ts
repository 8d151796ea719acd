import { readdirSync, readFileSync } from 'node:fs'
import { codeBlocks } from '../../../../docs/generate/code-blocks.mjs'

export const operationsFolder = new URL('../../../../docs/operations/', import.meta.url)

/** Page for operators, with the blocks of lines that they copy to a shell. */
export interface Page {
  readonly name: string
  /** Commands, or variables such as `SERVICEKIT_NAME=value`. */
  readonly blocks: readonly (readonly string[])[]
}

/** Reads the operations pages, in the order of the site. */
export const readPages = (): readonly Page[] =>
  readdirSync(operationsFolder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, text: readFileSync(new URL(name, operationsFolder), 'utf8') }))
    .sort((one, other) => orderOf(one.text) - orderOf(other.text))
    .map(({ name, text }) => ({ name, blocks: blocksOf(text) }))
    .filter(({ blocks }) => blocks.length > 0)

/** Pages without `order` are the last of the site. */
const orderOf = (text: string): number => Number(/^order: (\d+)$/m.exec(text)?.[1] ?? 1000)

const blocksOf = (page: string): Page['blocks'] =>
  codeBlocks(page)
    .map(({ language, text }) => ({ language, lines: linesOf(text) }))
    .filter(({ language, lines }) => language === 'sh' || lines.every(isVariable))
    .map(({ lines }) => lines)

const isVariable = (line: string): boolean => /^SERVICEKIT_\w+=/.test(line)

const linesOf = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
