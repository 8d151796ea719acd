import { resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'

/** `servicekit init`: sets up an application. */
export const init = defineCommand({
  description: 'Set up servicekit in an application',
  flags: {
    root: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Folder of the application (default: the working directory)',
    },
    url: {
      type: 'string',
      valueHint: 'URL',
      description:
        'URL of the service (default: SERVICEKIT_URL); changes an existing configuration',
    },
    key: {
      type: 'string',
      valueHint: 'KEY',
      description:
        'Project key (default: SERVICEKIT_PROJECT_KEY); changes an existing configuration',
    },
    from: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Folder of your own JSON or YAML files, which are the source of truth',
    },
    languages: {
      type: 'string',
      valueHint: 'NAMES',
      description: 'With --from: codes of names that are no languages, e.g. zhtw=zh-TW',
    },
    sample: {
      type: 'boolean',
      description: 'Use the local platform with its sample project instead of a service',
    },
    example: {
      type: 'boolean',
      description: 'Show a message and a list on the first page, or print them',
    },
  },
  async run(flags, io) {
    const { root = '.', url, key, sample = false, example } = flags
    // Loaded on demand: it includes a parser of JavaScript.
    const { runInit } = await import('../init/run-init.ts')
    const { parseLanguageNames } = await import('../init/own-folder.ts')
    const isDone = await runInit({
      root: resolve(root),
      url: url ?? (process.env['SERVICEKIT_URL'] || undefined),
      projectKey: key ?? (process.env['SERVICEKIT_PROJECT_KEY'] || undefined),
      change: {
        ...(url !== undefined && { baseUrl: url }),
        ...(key !== undefined && { projectKey: key }),
      },
      from: flags.from === undefined ? undefined : resolve(flags.from),
      languages: parseLanguageNames(flags.languages),
      sample,
      example,
      io,
    })
    return isDone ? exitCode.ok : exitCode.findings
  },
})
