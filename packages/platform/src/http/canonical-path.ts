import { operations } from '@servicekit/contract'

/** Segments of the path of each operation; one in braces stands for any value. */
const paths = operations.map(({ route }) => route.path.split('/'))

const exactPaths = new Set<string>(operations.map(({ route }) => route.path))

const isParameter = (segment: string): boolean => segment.startsWith('{')

/**
 * Returns the path of an operation as the interface writes it, for a path in any case:
 * `/IDP/v1/iam/getusers` is `/idp/v1/Iam/GetUsers`. Other paths and values of parameters stay as
 * they are.
 *
 * The application routes by the result, and every check of a path gets it as `c.req.path`, so that
 * none is avoided by another case.
 */
export function canonicalPath(path: string): string {
  if (exactPaths.has(path)) return path
  const given = path.split('/')
  const matches = (segments: readonly string[], isExact: boolean): boolean =>
    segments.length === given.length &&
    segments.every(
      (segment, index) =>
        (isParameter(segment) && !isExact && given[index] !== '') ||
        segment.toLowerCase() === given[index]!.toLowerCase(),
    )
  // `/users/create` is not a user with the id `create`.
  const found =
    paths.find((segments) => matches(segments, true)) ??
    paths.find((segments) => matches(segments, false))
  if (!found) return path
  return found.map((segment, index) => (isParameter(segment) ? given[index] : segment)).join('/')
}
