/** Result of a mutation (section 4.5 rule 4). */
export interface ActionResponse {
  readonly acknowledged: boolean
  /** Id of the record; null if there are several, or none. */
  readonly itemId: string | null
  readonly itemIds: readonly string[]
  readonly totalImpactedData: number
  readonly message: string | null
}

/** Returns the result of a mutation that changed nothing: no error, but not acknowledged either. */
export const unchanged = (message: string): ActionResponse => ({
  acknowledged: false,
  itemId: null,
  itemIds: [],
  totalImpactedData: 0,
  message,
})

/** Returns the result of a mutation that changed these records. */
export const acknowledged = (itemIds: readonly string[], isMany: boolean): ActionResponse => ({
  acknowledged: true,
  itemId: isMany ? null : (itemIds[0] ?? null),
  itemIds,
  totalImpactedData: itemIds.length,
  message: null,
})
