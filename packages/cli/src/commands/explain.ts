import { readFile } from 'node:fs/promises'
import { ConfigError } from '@servicekit/client'
import { docsLink, unknownName } from '@servicekit/core'
import { readTextIfExists } from '@servicekit/core/node'
import { fileURLToPath } from 'node:url'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag } from '../flags.ts'

/** `servicekit explain`: prints the section of the documentation about an error code. */
export const explain = defineCommand({
  description: 'Explain an error code, a problem code or a rule of check',
  flags: {
    code: {
      type: 'positional',
      description: 'Code, such as SNAPSHOT_DRIFT or rule-unused; without it, all are listed',
    },
    json: jsonFlag,
  },
  async run({ code, json }, io) {
    const sections = parseSections(await readPage())
    if (code === undefined) {
      const lines = [...new Set(sections.map(({ group }) => group))].flatMap((group) => [
        `\n${group}`,
        ...sections.filter((one) => one.group === group).map((one) => `  ${one.code}`),
      ])
      const list = sections.map((one) => ({ code: one.code, group: one.group }))
      io.stdout(json ? `${JSON.stringify(list)}\n` : `${lines.join('\n').trimStart()}\n`)
      return exitCode.ok
    }
    const wanted = code.toLowerCase()
    const found = sections.find((one) =>
      [one.code.toLowerCase(), one.code.replace(/^rule-/, '')].includes(wanted),
    )
    if (!found) {
      const codes = sections.map((one) => one.code)
      const isLower = wanted === code
      const known = isLower ? codes.map((one) => one.toLowerCase()) : codes
      throw new ConfigError(unknownName('code', code, known), {
        help: 'Run `npx servicekit explain` for the list of codes.',
      })
    }
    const link = docsLink(found.code)
    io.stdout(
      json
        ? `${JSON.stringify({ code: found.code, text: found.text, ...(link && { docs: link }) })}\n`
        : `${found.code}\n\n${found.text}\n${link === undefined ? '' : `\n${link}\n`}`,
    )
    return exitCode.ok
  },
})

interface Section {
  readonly code: string
  /** Heading above it. */
  readonly group: string
  readonly text: string
}

/** Reads the page from the package. The build copies it next to the code. */
async function readPage(): Promise<string> {
  const built = fileURLToPath(new URL('./troubleshooting.md', import.meta.url))
  const source = new URL('../../../../docs/guides/troubleshooting.md', import.meta.url)
  return (await readTextIfExists(built)) ?? readFile(source, 'utf8')
}

/** Returns the sections of the page, as text for a terminal: links without their addresses. */
export function parseSections(page: string): readonly Section[] {
  const sections: Section[] = []
  let group = ''
  for (const part of page.replaceAll('\r\n', '\n').split(/^(?=##+ )/m)) {
    const [, level, heading] = /^(#+) (.*)\n/.exec(part) ?? []
    if (heading === undefined) continue
    if (level === '##') group = heading.replaceAll('`', '')
    if (level !== '###') continue
    const text = part.slice(part.indexOf('\n') + 1).trim()
    sections.push({
      code: heading.replace(/^Rule /, 'rule-'),
      group,
      text: text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'),
    })
  }
  return sections
}
