import { jsonLiteral } from '@servicekit/catalog'
import { type DevFile, devPrefix, withSpecifiers } from './ids.ts'
import type { InspectorSettings } from './inspector-settings.ts'
import { keyFormEvent } from './key-form-data.ts'
import { readRuntime } from './read-runtime.ts'
import { keyPath } from './receive-key.ts'

/** Values of `settings.js`, which the files of `runtime/dev` import. */
export interface DevSettings extends InspectorSettings {
  /** Token for creating unknown keys. */
  readonly token: string
}

/** Returns the code of a file of `runtime/dev`. */
export const devFileCode = (name: DevFile, settings: DevSettings): string =>
  name === 'settings'
    ? settingsCode(settings)
    : withSpecifiers(readRuntime(`dev/${name}.js`), devPrefix)

const settingsCode = (settings: DevSettings): string =>
  Object.entries({ ...settings, url: settings.url ?? '', keyPath, keyFormEvent })
    .map(([name, value]) => `export const ${name} = ${jsonLiteral(value)}\n`)
    .join('')
