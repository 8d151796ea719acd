import { join } from 'node:path'
import { root } from '../../packages/workspace/lib/root.mjs'
import { runNode } from '../../packages/workspace/lib/run.mjs'
import { cell } from './table.mjs'

const program = join(root, 'packages/cli/bin/servicekit.js')

/** @param {readonly string[]} args */
async function help(args) {
  const { code, output } = await runNode([program, ...args])
  if (code !== 0) throw new Error(output)
  return output
}

/** Returns the rows of a help text: `  --flag VALUE  description`. @param {string} text */
const rowsOf = (text) =>
  [...text.matchAll(/^ {2}(\S.*?) {2,}(\S.*)$/gm)].map(([, name = '', about = '']) => ({
    name,
    about,
  }))

/** Returns the page of all commands, from the help that they print. */
export async function cliPage() {
  const usage = await help(['--help'])
  const commands = rowsOf(usage)
  const sections = await Promise.all(
    commands.map(async ({ name, about }) => {
      const rows = rowsOf(await help([name, '--help']))
      return [
        `## servicekit ${name}`,
        `${about}.`,
        [
          '| flag | description |',
          '| --- | --- |',
          ...rows.map((row) => `| \`${row.name}\` | ${cell(row.about.replaceAll('<', '&lt;'))} |`),
        ].join('\n'),
      ].join('\n\n')
    }),
  )
  return `${[
    '# Command line',
    'Generated from the commands. `servicekit <command> --help` prints the same.',
    ...sections,
    '## Exit codes',
    exitCodes(usage),
  ].join('\n\n')}\n`
}

/** Returns the table of exit codes: `Exit codes: 0 success, 1 problems found`. @param {string} usage */
function exitCodes(usage) {
  const [, text = ''] = /Exit codes: ([^.]+)\./.exec(usage) ?? []
  const rows = [...text.matchAll(/(\d+) ([^,]+)/g)].map(
    ([, code, meaning]) => `| ${code} | ${meaning} |`,
  )
  if (rows.length < 5) throw new Error('servicekit --help lists no exit codes')
  return ['| code | meaning |', '| --- | --- |', ...rows].join('\n')
}
