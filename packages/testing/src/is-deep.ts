/** Selects the large versions of tests, which `npm run test:deep` runs. */
export const isDeep: boolean = process.env['SERVICEKIT_DEEP'] === '1'

/**
 * Returns every third value, starting at another one with each offset; all values in
 * `npm run test:deep`.
 */
export const sample = <T>(values: readonly T[], offset: number): readonly T[] =>
  isDeep ? values : values.filter((_, index) => (index + offset) % 3 === 0)
