import type { ConnectionCheck } from './connection-result.ts'
import { fileVariableOf, type Setting, settingsList, valueIn } from './list-settings.ts'
import type { ResolvedConfig } from './resolve-config.ts'

/** Flag of `servicekit serve`, in the form that the command line describes flags. */
export interface ServeFlag {
  readonly type: 'string' | 'boolean'
  readonly valueHint?: string
  readonly description: string
}

/** Returns the flags of all settings, by their name without dashes. */
export const settingFlags = (): Readonly<Record<string, ServeFlag>> =>
  Object.fromEntries(
    settingsList.map((setting) => [
      setting.flag,
      {
        type: setting.kind === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(setting.kind !== 'boolean' && {
          valueHint: setting.isSecret ? 'FILE' : (setting.hint ?? 'VALUE'),
        }),
        description: `${setting.isSecret ? 'File with: ' : ''}${setting.description}${defaultOf(setting)}`,
      },
    ]),
  )

function defaultOf(setting: Setting): string {
  const text = defaultTextOf(setting)
  return text === '' ? '' : ` (${text === 'required' ? text : `default: ${text}`})`
}

function defaultTextOf({ defaultText, defaultValue }: Setting): string {
  if (defaultText !== undefined) return defaultText.replaceAll('`', '')
  if (defaultValue === undefined) return ''
  return Array.isArray(defaultValue) ? defaultValue.join(',') : String(defaultValue)
}

/** Returns the table of all settings for the documentation, in Markdown. */
export function settingsTable(): string {
  const rows = settingsList.map((setting) => {
    const { name, flag, variable, isSecret, alias, description, defaultText } = setting
    const variables = [
      variable,
      ...(isSecret ? [fileVariableOf(setting)] : []),
      ...(alias ? [alias] : []),
    ]
    const standard = defaultText ?? defaultTextOf(setting).replace(/^(?=.)(.*)$/, '`$1`')
    return [
      `\`${name}\``,
      variables.map((one) => `\`${one}\``).join(', '),
      `\`--${flag}\``,
      standard,
      description,
    ]
  })
  const head = ['setting', 'variables', 'flag', 'default', 'description']
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

/** Returns the settings in effect, one on each line, with their source and without secrets. */
export function formatConfig({ settings, sources, file }: ResolvedConfig): string {
  const rows = settingsList.map(({ name, isSecret }) => {
    const value = valueIn(settings, name)
    const source = sources.get(name) ?? 'default'
    const shown = value === undefined ? '-' : isSecret ? '***' : JSON.stringify(value)
    return [name, shown, source] as const
  })
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  return [
    `Config file: ${file ?? 'none'}`,
    ...rows.map(([name, value, source]) =>
      [name.padEnd(widths[0]!), value.padEnd(widths[1]!), source].join('  '),
    ),
    'The configuration is valid.',
    '',
  ].join('\n')
}

/** Returns the results of checks of connections, one on each line. */
export function formatConnections(checks: readonly ConnectionCheck[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ name, state, message }) => {
      // Messages of other programs may have several lines.
      const line = message.replaceAll(/\s+/g, ' ')
      return `${state.padEnd(9)}${name.padEnd(width)}  ${line}\n`
    })
    .join('')
}
