import { PlacedSyntaxError, positionAt } from '@servicekit/core'
import { ServicekitError } from '@servicekit/client'

/** Creates the error for a file that cannot be read. `problem` is a clause: `it is not XML`. */
export const invalidFile = (
  path: string,
  problem: string,
  {
    line,
    column,
    help,
    cause,
  }: {
    readonly line?: number | undefined
    readonly column?: number | undefined
    readonly help?: string | undefined
    readonly cause?: unknown
  } = {},
): ServicekitError =>
  new ServicekitError(`Cannot read ${path}: ${problem}`, {
    code: 'CATALOG_INVALID',
    details: {
      file: path,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    },
    help,
    cause,
  })

/** Creates the error for a message that a format cannot contain. `reason` is a clause. */
export const unsupportedMessage = (
  format: string,
  message: { readonly module: string; readonly key: string; readonly language?: string },
  reason: string,
  help = 'Export in another format, or change the message.',
): ServicekitError => {
  const { module, key, language } = message
  return new ServicekitError(
    `${format} cannot contain the message ${JSON.stringify(key)}: ${reason}`,
    {
      code: 'EMIT_FAILED',
      details: { module, key, ...(language === undefined ? {} : { language }) },
      help,
    },
  )
}

/**
 * Runs a parser, and converts its errors to those of a file.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function parseFile<T>(path: string, text: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof PlacedSyntaxError) {
      throw invalidFile(path, error.message, {
        ...positionAt(text, error.offset),
        help: 'Correct this place, or export the file again.',
        cause: error,
      })
    }
    // Parsers are recursive: a file that nests too deeply exhausts their stack.
    if (error instanceof RangeError) {
      throw invalidFile(path, 'it is nested too deeply', {
        help: 'Flatten the file: translations need no more than a few levels.',
        cause: error,
      })
    }
    throw error
  }
}
