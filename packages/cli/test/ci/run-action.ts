import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { parse } from 'yaml'
import { runScript } from './run-script.ts'

/** Composite action, as far as this runner reads it. */
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly outputs?: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

interface Step {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

export interface ActionResult {
  readonly failed: boolean
  readonly outputs: Readonly<Record<string, string>>
  /** Output of all steps. */
  readonly output: string
  /** Content of GITHUB_STEP_SUMMARY. */
  readonly summary: string
  /** Variables for the next steps of the job. */
  readonly variables: Readonly<Record<string, string>>
  /** Names of the steps that ran. */
  readonly ran: readonly string[]
  /** Other actions that were used, with their inputs. They do not run. */
  readonly used: readonly (readonly [name: string, inputs: Readonly<Record<string, string>>])[]
}

export const readAction = async (file: string): Promise<Action> =>
  parse(await readFile(file, 'utf8')) as Action

/** Runs the steps of a composite action, with GitHub's own evaluation of expressions. */
export async function runAction(
  file: string,
  {
    inputs: given = {},
    workspace,
    temp: parent,
    env,
  }: {
    readonly inputs?: Readonly<Record<string, string>>
    readonly workspace: string
    readonly temp: string
    readonly env: NodeJS.ProcessEnv
  },
): Promise<ActionResult> {
  const action = await readAction(file)
  const temp = await mkdtemp(join(parent, 'action-'))
  const defaults = Object.entries(action.inputs).map(([name, one]) => [name, one.default ?? ''])
  const inputs = { ...Object.fromEntries(defaults), ...given } as Record<string, string>
  const steps: Record<string, { outputs: Record<string, string> }> = {}
  const context = () => contextOf({ inputs, steps, github: { token: 'token' } })
  const ran: string[] = []
  const used: [string, Record<string, string>][] = []
  const variables: Record<string, string> = {}
  let output = ''
  let failed = false
  const files = { OUTPUT: '', ENV: '', STEP_SUMMARY: '' }
  for (const name of Object.keys(files) as (keyof typeof files)[]) {
    files[name] = join(temp, name)
    await writeFile(files[name], '')
  }
  for (const step of action.runs.steps) {
    if (failed) break
    if (
      step.if !== undefined &&
      !evaluate(step.if, context())
        .coerceString()
        .match(/^true$/)
    )
      continue
    ran.push(step.name)
    const values = (all: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(all).map(([name, text]) => [name, expand(text, context())]))
    if (step.uses !== undefined) {
      used.push([step.uses, values(step.with)])
      continue
    }
    await writeFile(files.OUTPUT, '')
    const result = await runScript(expand(step.run!, context()), {
      cwd: resolve(workspace, expand(step['working-directory'] ?? '.', context())),
      temp,
      env: {
        ...env,
        ...variables,
        ...values(step.env),
        CI: 'true',
        RUNNER_TEMP: temp,
        GITHUB_OUTPUT: files.OUTPUT,
        GITHUB_ENV: files.ENV,
        GITHUB_STEP_SUMMARY: files.STEP_SUMMARY,
      },
    })
    output += result.output
    failed = result.code !== 0
    if (step.id !== undefined) steps[step.id] = { outputs: await readPairs(files.OUTPUT) }
    Object.assign(variables, await readPairs(files.ENV))
  }
  const outputs = Object.entries(action.outputs ?? {}).map(
    ([name, { value }]) => [name, expand(value, context())] as const,
  )
  return {
    failed,
    outputs: Object.fromEntries(outputs),
    output,
    summary: await readFile(files.STEP_SUMMARY, 'utf8'),
    variables,
    ran,
    used,
  }
}

/** Reads lines of the form `name=value`. */
async function readPairs(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]))
}

type Value = string | { readonly [name: string]: Value }

function contextOf(value: Readonly<Record<string, Value>>): data.Dictionary {
  const pairs = Object.entries(value).map(([key, member]) => ({
    key,
    value: typeof member === 'string' ? new data.StringData(member) : contextOf(member),
  }))
  return new data.Dictionary(...pairs)
}

function evaluate(expression: string, context: data.Dictionary): data.ExpressionData {
  const { tokens } = new Lexer(expression).lex()
  const names = context.pairs().map(({ key }) => key)
  return new Evaluator(new Parser(tokens, names, []).parse(), context).evaluate()
}

const expand = (text: string, context: data.Dictionary): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression.trim(), context).coerceString(),
  )
