import { ConfigError } from '@servicekit/client'
import { formatCount } from '@servicekit/core'
import type { SourceFile } from '../usage/read-sources.ts'

/** Libraries that are not converted, by the package that applications import. */
const unsupported = {
  'react-intl': 'FormatJS',
  '@formatjs/intl': 'FormatJS',
  'vue-intl': 'FormatJS',
  'typesafe-i18n': 'typesafe-i18n',
} as const

const supported =
  /['"](?:i18next|[\w-]+-i18next|i18next-[\w-]+|(?:petite-)?vue-i18n|(?:next|use)-intl)\b/

/**
 * Rejects an application whose library is not converted, before anything else is read.
 *
 * @throws ConfigError
 */
export function rejectUnsupportedLibrary(files: readonly SourceFile[]): void {
  if (files.some(({ text }) => supported.test(text))) return
  for (const [name, library] of Object.entries(unsupported)) {
    const users = files.filter(({ text }) => importOf(name).test(text))
    if (users.length === 0) continue
    throw new ConfigError(`Calls of ${library} are not converted yet`, {
      details: { package: name, file: users[0]!.path },
      help: `${formatCount(users.length, 'file')} import ${name}. Its messages and ours can be used at the same time, so that components can be changed by hand one by one.`,
    })
  }
}

const importOf = (name: string): RegExp =>
  new RegExp(String.raw`(?:from|import|require\()\s*['"]${name}(?:/[^'"]*)?['"]`)
