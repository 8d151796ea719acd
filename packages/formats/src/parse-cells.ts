/** Splits text that was copied in a spreadsheet into its cells. */
export const parseCells = async (text: string): Promise<readonly (readonly string[])[]> =>
  (await import('./formats/csv.ts')).parseCells(text)
