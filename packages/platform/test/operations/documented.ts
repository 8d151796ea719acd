import { type Operation, SessionError } from '@servicekit/contract'

/** An answer that the contract documents, and so has a test. */
export interface Documented {
  readonly status: number
  /** The code of a failure of a session or a token, where the contract names it. */
  readonly code?: string
  readonly description: string
}

/** Codes are the words of several parts that a description of these answers holds. */
const codes = /\b[a-z]+(?:_[a-z]+)+\b/g

/** Every answer of an operation that the platform gives and that must have a test: each status, and each code of it. */
export const documentedAnswers = ({ answers }: Operation): readonly Documented[] =>
  Object.entries(answers).flatMap(
    ([status, { description, schema, isDeployedOnly }]): Documented[] => {
      if (isDeployedOnly) return []
      const one = { status: Number(status), description }
      const named = schema === SessionError ? (description.match(codes) ?? []) : []
      return named.length === 0 ? [one] : named.map((code) => ({ ...one, code }))
    },
  )
