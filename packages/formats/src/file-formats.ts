import type { OutputFile, WriteInput } from './entry.ts'

/** Format that can be written. */
export interface FileFormat {
  /** Name for people. */
  readonly label: string
  readonly write: (input: WriteInput) => Promise<readonly OutputFile[]>
}

/** Formats by the names that commands use. Each is loaded once it is needed. */
export const fileFormats = {
  json: {
    label: 'JSON, flat keys',
    write: async (input) => (await import('./formats/json.ts')).writeJson(input),
  },
  'json-nested': {
    label: 'JSON, nested keys',
    write: async (input) => (await import('./formats/json.ts')).writeNestedJson(input),
  },
  i18next: {
    label: 'i18next JSON',
    write: async (input) => (await import('./formats/json.ts')).writeNestedJson(input),
  },
  arb: {
    label: 'ARB (Flutter)',
    write: async (input) => (await import('./formats/arb.ts')).writeArb(input),
  },
  xliff: {
    label: 'XLIFF 1.2',
    write: async (input) => (await import('./formats/write-xliff.ts')).writeXliff1(input),
  },
  xliff2: {
    label: 'XLIFF 2.0',
    write: async (input) => (await import('./formats/write-xliff.ts')).writeXliff2(input),
  },
  csv: {
    label: 'CSV',
    write: async (input) => (await import('./formats/csv.ts')).writeCsv(input),
  },
  xlsx: {
    label: 'Excel (XLSX)',
    write: async (input) => (await import('./formats/xlsx.ts')).writeXlsx(input),
  },
  po: {
    label: 'gettext PO',
    write: async (input) => (await import('./formats/write-po.ts')).writePo(input),
  },
  android: {
    label: 'Android strings.xml',
    write: async (input) => (await import('./formats/android.ts')).writeAndroid(input),
  },
  apple: {
    label: 'Apple .strings and .stringsdict',
    write: async (input) => (await import('./formats/apple.ts')).writeApple(input),
  },
  xcstrings: {
    label: 'Apple string catalog (.xcstrings)',
    write: async (input) => (await import('./formats/xcstrings.ts')).writeXcstrings(input),
  },
  properties: {
    label: 'Java .properties',
    write: async (input) => (await import('./formats/properties.ts')).writeProperties(input),
  },
  yaml: {
    label: 'YAML, flat keys',
    write: async (input) => (await import('./formats/yaml.ts')).writeYaml(input),
  },
  'yaml-nested': {
    label: 'YAML, nested keys',
    write: async (input) => (await import('./formats/yaml.ts')).writeNestedYaml(input),
  },
  rails: {
    label: 'YAML of Rails',
    write: async (input) => (await import('./formats/yaml.ts')).writeRailsYaml(input),
  },
} as const satisfies Readonly<Record<string, FileFormat>>

/** Name of a format that can be written. */
export type FormatName = keyof typeof fileFormats

/** Names of the formats that can be written. */
export const formatNames = Object.keys(fileFormats) as readonly FormatName[]

/**
 * Writes messages as files of a format.
 *
 * @throws ServicekitError EMIT_FAILED that names the message that the format cannot contain.
 */
export const writeTranslations = (
  format: FormatName,
  input: WriteInput,
): Promise<readonly OutputFile[]> => fileFormats[format].write(input)
