import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resolveCommand } from 'package-manager-detector'
import { readTextIfExists } from '@servicekit/core/node'
import type { Io } from '../io.ts'
import { localCommand, runCommand } from '../run-command.ts'
import type { Framework } from './frameworks.ts'
import type { ProjectFacts } from './project-facts.ts'

/** Type check of an application: the commands and how it ended. */
export interface TypeCheck {
  readonly command: string
  readonly passed: boolean
  readonly output: string
}

/**
 * Runs the type check of an application: its own script if it has one, otherwise vue-tsc,
 * svelte-check or tsc. Returns undefined if the application has no type checker.
 */
export async function runTypeCheck(
  facts: ProjectFacts,
  framework: Framework,
  io: Io,
): Promise<TypeCheck | undefined> {
  const commands = await typeCheckCommands(facts, framework)
  let last: TypeCheck | undefined
  for (const args of commands) {
    const [kind, ...rest] = args
    const { command, args: resolved } =
      kind === 'run' ? resolveCommand(facts.agent, 'run', rest)! : localCommand(facts, rest)
    const { exitCode, output } = await runCommand(command, resolved, {
      cwd: facts.root,
      io,
      quiet: true,
    })
    last = { command: rest.join(' '), passed: exitCode === 0, output }
    if (!last.passed) return last
  }
  return last
}

const scriptNames = ['typecheck', 'type-check', 'check-types', 'check:types']

async function typeCheckCommands(
  { manifest: { scripts = {} }, dependencies, root, isTypeScript }: ProjectFacts,
  { prepareTypes }: Framework,
): Promise<readonly (readonly string[])[]> {
  const script = scriptNames.find((name) => Object.hasOwn(scripts, name))
  if (script !== undefined) return [['run', script]]
  if (scripts['check']?.includes('svelte-check')) return [['run', 'check']]
  const prepare = prepareTypes ? [['local', ...prepareTypes]] : []
  const has = (name: string): boolean => Object.hasOwn(dependencies, name)
  if (has('nuxt')) return has('vue-tsc') ? [...prepare, ['local', 'nuxt', 'typecheck']] : prepare
  if (has('@astrojs/check')) return [...prepare, ['local', 'astro', 'check']]
  if (!isTypeScript || !has('typescript')) return []
  const checker = has('vue-tsc') ? 'vue-tsc' : 'tsc'
  if (has('@angular/core') && existsSync(join(root, 'tsconfig.app.json'))) {
    return [['local', 'tsc', '-p', 'tsconfig.app.json', '--noEmit']]
  }
  const tsconfig = (await readTextIfExists(join(root, 'tsconfig.json'))) ?? ''
  const isSolution = /"references"\s*:/.test(tsconfig) && /"files"\s*:\s*\[\s*\]/.test(tsconfig)
  return [...prepare, isSolution ? ['local', checker, '-b'] : ['local', checker, '--noEmit']]
}
