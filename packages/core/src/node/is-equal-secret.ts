import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two strings in constant time. */
export const isEqualSecret = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
