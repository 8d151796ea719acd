import type { MigrateReport } from '../src/index.ts'

export interface ReadableReport extends MigrateReport {
  /** Returns the new text of a file. @throws Error for a file that is as it was. */
  readonly text: (file: string) => string
}

export const readableReport = (report: MigrateReport): ReadableReport => ({
  ...report,
  text: (file) => {
    const found = report.files.find((one) => one.file === file)?.text
    if (found === undefined) throw new Error(`${file} is as it was`)
    return found
  },
})

/** Returns the calls that were kept, and why. Paths are relative to `src`. */
export const reasons = ({ skipped }: MigrateReport): string[] =>
  skipped.map(({ file, line, code, reason }) => `${file.slice(4)}:${line} ${code}: ${reason}`)
