/** Result of a mutation (section 4.5 rule 4). */
export interface ActionResponse {
  readonly acknowledged: boolean
  /** Id of the record; null if there are several, or none. */
  readonly itemId: string | null
  readonly totalImpactedData: number
  readonly message: string | null
}

/** Result of a mutation that changed nothing: no error, but not acknowledged either. */
export const missed = (message: string): ActionResponse => ({
  acknowledged: false,
  itemId: null,
  totalImpactedData: 0,
  message,
})

/** Result of a mutation that changed these records. */
export const done = (itemIds: readonly string[], isMany: boolean): ActionResponse => ({
  acknowledged: true,
  itemId: isMany ? null : (itemIds[0] ?? null),
  totalImpactedData: itemIds.length,
  message: null,
})
