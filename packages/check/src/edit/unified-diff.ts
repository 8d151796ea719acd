import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

/** Returns the changes of a file in unified diff format. */
export const unifiedDiff = (file: string, before: string, after: string): string =>
  createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
