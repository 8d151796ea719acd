import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'

export const doctor = defineCommand({
  description: 'Explain what is wrong with the setup of an application',
  flags: {},
  async run() {
    return exitCode.ok
  },
})
