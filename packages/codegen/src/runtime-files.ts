import { readFileSync } from 'node:fs'
import type { RuntimePart } from './runtime-exports.ts'

/** Format of a file of the runtime. */
export type RuntimeFormat = 'ts' | 'js' | 'd.ts'

/**
 * Reads a file of the runtime: its source in `runtime/`, or the JavaScript and the declarations
 * that the TypeScript compiler writes from it to `dist/runtime/`.
 */
export function readRuntimeFile(part: RuntimePart, format: RuntimeFormat): string {
  // Relative to `src/` and to `dist/` alike.
  const folder = format === 'ts' ? '../runtime' : '../dist/runtime'
  return readFileSync(new URL(`${folder}/${part}.${format}`, import.meta.url), 'utf8')
}
