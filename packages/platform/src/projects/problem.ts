/** Error in a project's data that does not prevent the rest from working. */
export interface Problem {
  readonly code: 'SCHEMA_SKIPPED' | 'FIELD_SKIPPED' | 'RECORD_INVALID'
  readonly schema: string
  readonly member?: string
  readonly message: string
}
