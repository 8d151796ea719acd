/** Reason why a file cannot be imported. */
export type ImportProblem =
  | 'csvLine'
  | 'csvColumn'
  | 'encoding'
  | 'notXml'
  | 'notXliff'
  | 'noTargetLanguage'
  | 'xliffInline'

/** File that cannot be imported; the dialog has the text of its code. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  readonly code: ImportProblem
  /** Line, column, encoding or element that is wrong. */
  readonly place: string

  constructor(code: ImportProblem, place = '') {
    super(`${code} ${place}`)
    this.code = code
    this.place = place
  }
}
