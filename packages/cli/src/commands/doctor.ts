import { resolve } from 'node:path'
import { formatCount } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { formatFinding } from '../doctor/finding.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag, projectFlags, projectOptions } from '../flags.ts'

/** `servicekit doctor`: explains what is wrong with the setup of an application. */
export const doctor = defineCommand({
  description: 'Find what is wrong with the setup of an application, and how to fix it',
  flags: { ...projectFlags, json: jsonFlag },
  async run(flags, io) {
    const { runDoctor } = await import('../doctor/run-doctor.ts')
    const { findings, service } = await runDoctor(resolve(flags.root ?? '.'), {
      options: projectOptions(flags),
      io,
    })
    if (flags.json) io.stdout(`${JSON.stringify({ findings, service })}\n`)
    else {
      if (service) {
        const { baseUrl, preset, keyHeader, queryNaming } = service
        io.stdout(
          `Service ${baseUrl}: preset ${preset}, keyHeader ${keyHeader}, queryNaming ${queryNaming}\n`,
        )
      }
      for (const finding of findings) io.stdout(`${formatFinding(finding)}\n`)
      io.stdout(
        findings.length === 0
          ? 'Everything is set up.\n'
          : `${formatCount(findings.length, 'finding')}\n`,
      )
    }
    return findings.length === 0 ? exitCode.ok : exitCode.findings
  },
})
