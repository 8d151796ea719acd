import { type Operation, SessionError } from '@servicekit/contract'

/** Response that the contract documents, which must have a test. */
export interface Documented {
  readonly status: number
  /** Error code of a session or token failure, if the contract names one. */
  readonly code?: string
  readonly description: string
}

/** Codes are words with underscores in the description of a response. */
const codes = /\b[a-z]+(?:_[a-z]+)+\b/g

/**
 * Returns every documented response that the platform sends and that must have a test: each
 * status, and each code of it.
 */
export const documentedAnswers = ({ responses }: Operation): readonly Documented[] =>
  Object.entries(responses).flatMap(
    ([status, { description, schema, isDeployedOnly }]): Documented[] => {
      if (isDeployedOnly) return []
      const one = { status: Number(status), description }
      const named = schema === SessionError ? (description.match(codes) ?? []) : []
      return named.length === 0 ? [one] : named.map((code) => ({ ...one, code }))
    },
  )
