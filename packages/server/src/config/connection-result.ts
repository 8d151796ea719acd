import { settingsList } from './list-settings.ts'

/** Result of the check of one connection. `skipped`: there is nothing to check yet. */
export interface ConnectionResult {
  readonly state: 'ok' | 'failed' | 'fixed' | 'skipped'
  readonly message: string
}

export interface ConnectionCheck extends ConnectionResult {
  readonly name: string
}

export const ok = (message: string): ConnectionResult => ({ state: 'ok', message })
export const failed = (message: string): ConnectionResult => ({ state: 'failed', message })
export const skipped = (message: string): ConnectionResult => ({ state: 'skipped', message })

/** Returns the environment variable of a setting, which messages name. */
export const variableOf = (name: string): string =>
  settingsList.find((one) => one.name === name)!.variable
