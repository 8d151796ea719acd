import type { GatewayResult } from '../src/data.ts'

/** Throws the error of a failed request, as all operations but `data.execute` do. */
export async function orThrowCause<T>(running: Promise<GatewayResult<T>>) {
  const result = await running
  const cause = result.ok ? undefined : result.errors[0]?.cause
  if (cause) throw cause
  return result
}
