import { codePageOf } from './code-page.ts'
import { decodeText, westernCodePage } from './decode-text.ts'
import type { FileContent, FileEntry, InputFile, SkippedValue } from './entry.ts'
import { invalidFile } from './format-errors.ts'
import type { ColumnRoles } from './formats/table.ts'
import { namesOfPath } from './path-names.ts'
import { isZip, unzip } from './unzip.ts'

/** Options for reading files. */
export interface ReadOptions {
  /** Languages of the project, which are recognized as columns of a table. */
  readonly languages: readonly string[]
  /** Meaning of columns of a table by their header. */
  readonly columns?: ColumnRoles
}

/** Translations of one file. */
export interface ReadFile {
  /** Path of the file; of a file in an archive, after that of the archive. */
  readonly path: string
  /** Encoding that the text was read in; undefined for a workbook. */
  readonly encoding: string | undefined
  /** Entries with the language and the module that the file or its path names. */
  readonly entries: readonly FileEntry[]
  readonly skipped: readonly SkippedValue[]
}

/** Extensions of the files that can be read. */
export const readableExtensions = [
  'json',
  'arb',
  'xlf',
  'xliff',
  'csv',
  'tsv',
  'txt',
  'xlsx',
  'po',
  'pot',
  'xml',
  'strings',
  'stringsdict',
  'xcstrings',
  'properties',
  'yml',
  'yaml',
  'zip',
] as const
type Extension = (typeof readableExtensions)[number]

/** Largest file. Larger ones are tables of something else. */
const maxBytes = 200_000_000

/**
 * Reads a translation file, or each one of a ZIP archive.
 *
 * @throws ServicekitError CATALOG_INVALID with the file, the line and how to fix it.
 */
export async function readTranslations(
  file: InputFile,
  options: ReadOptions,
): Promise<readonly ReadFile[]> {
  if (file.bytes.length > maxBytes) {
    throw invalidFile(file.path, `it is larger than ${maxBytes / 1_000_000} MB`, {
      help: 'Split it.',
    })
  }
  const isWorkbook = extensionOf(file.path) === 'xlsx'
  if (!isZip(file.bytes) || isWorkbook) return [await readOne(file, options)]
  const readable = [...unzip(file)].filter(
    ([name]) => extensionOf(name) !== undefined && !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name),
  )
  if (readable.length === 0) {
    throw invalidFile(file.path, 'it contains no translation file', {
      help: `Known extensions: ${readableExtensions.join(', ')}.`,
    })
  }
  const read: ReadFile[] = []
  for (const [name, bytes] of readable) {
    const inner = await readOne({ path: name, bytes }, options)
    read.push({ ...inner, path: `${file.path}/${name}` })
  }
  return read
}

async function readOne(file: InputFile, options: ReadOptions): Promise<ReadFile> {
  const read = await readIn(codePageOf(namesOfPath(file.path).language ?? ''), file, options)
  if (read.encoding !== westernCodePage) return read
  // Its path names no language, or a western one. Only now are those of its columns known.
  const codePages = codePagesOf(read)
  const [codePage = westernCodePage] = codePages
  if (codePages.size < 2) {
    return codePage === westernCodePage ? read : readIn(codePage, file, options)
  }
  throw invalidFile(file.path, `its encoding cannot be detected: ${[...codePages].join(', ')}`, {
    help: 'Save the file as UTF-8.',
  })
}

/** Returns the code pages of the languages whose texts are not ASCII. */
const codePagesOf = ({ entries }: ReadFile): ReadonlySet<string> =>
  new Set(
    entries.flatMap(({ value, language }) =>
      language !== undefined && /[^\0-\x7F]/.test(value) ? [codePageOf(language)] : [],
    ),
  )

async function readIn(codePage: string, file: InputFile, options: ReadOptions): Promise<ReadFile> {
  const { path } = file
  const { content, encoding } = await contentOf(file, options, codePage)
  const names = namesOfPath(path)
  const entries = content.entries.map((entry) => ({
    ...entry,
    module: entry.module ?? names.module,
    language: entry.language ?? (entry.isSource ? undefined : names.language),
  }))
  return { path, encoding, entries, skipped: content.skipped }
}

async function contentOf(
  file: InputFile,
  { languages, columns = new Map() }: ReadOptions,
  codePage: string,
): Promise<{ readonly content: FileContent; readonly encoding: string | undefined }> {
  const { path } = file
  const table = { languages, columns }
  if (isZip(file.bytes)) {
    const { readXlsx } = await import('./formats/xlsx.ts')
    return { content: await readXlsx(file, table), encoding: undefined }
  }
  const { text, encoding } = decodeText(file, codePage)
  const read = async (): Promise<FileContent> => {
    switch (extensionOf(path)) {
      case 'json':
      case 'arb':
        return (await import('./formats/json.ts')).readJson(text, path)
      case 'xcstrings':
        return (await import('./formats/xcstrings.ts')).readXcstrings(text, path)
      case 'strings':
        return (await import('./formats/apple-strings.ts')).readStrings(text, path)
      case 'stringsdict':
        return (await import('./formats/stringsdict.ts')).readStringsDict(text, path)
      case 'properties':
        return (await import('./formats/properties.ts')).readProperties(text, path)
      case 'yml':
      case 'yaml':
        return (await import('./formats/yaml.ts')).readYaml(text, path)
      case 'po':
      case 'pot':
        return (await import('./formats/read-po.ts')).readPo(text, path)
      case 'xlf':
      case 'xliff':
      case 'xml':
        return readXml(text, path)
      case 'csv':
      case 'tsv':
      case 'txt':
        return (await import('./formats/csv.ts')).readCsv(text, path, table)
      case 'xlsx':
        throw invalidFile(path, 'it is not a workbook', { help: 'Save it again as .xlsx.' })
      default:
        throw invalidFile(path, 'its extension is not that of a translation file', {
          help: `Known extensions: ${readableExtensions.join(', ')}.`,
        })
    }
  }
  return { content: await read(), encoding }
}

async function readXml(text: string, path: string): Promise<FileContent> {
  return /<(?:\w+:)?resources[\s>/]/.test(text) && !/<(?:\w+:)?xliff[\s>]/.test(text)
    ? (await import('./formats/android.ts')).readAndroid(text, path)
    : (await import('./formats/read-xliff.ts')).readXliff(text, path)
}

function extensionOf(path: string): Extension | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase()
  return readableExtensions.find((one) => one === extension)
}
