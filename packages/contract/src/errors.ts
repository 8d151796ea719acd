import { z } from 'zod'

/**
 * Body of a rejected translation file request (section 7).
 *
 * ```json
 * {"code": 400, "message": {"type": "ValidationFailed", "title": "…", "status": 400,
 *  "errors": {"Language": ["…"]}, "traceId": "…"}}
 * ```
 */
export const UilmError = z
  .object({
    code: z.int(),
    message: z.object({
      type: z.string(),
      title: z.string(),
      status: z.int(),
      errors: z.record(z.string(), z.array(z.string())),
      traceId: z.string(),
    }),
  })
  .meta({ id: 'UilmError' })
export type UilmError = z.infer<typeof UilmError>

/** Body of a request that was rejected before it reached a route (400, 404, 406). */
export const Rejection = z
  .object({ Errors: z.object({ Message: z.string() }), IsSuccess: z.literal(false) })
  .meta({ id: 'Rejection' })
export type Rejection = z.infer<typeof Rejection>

/**
 * Body of a failed request of section 4.1, and of a request without a valid session:
 * `session_not_found`, `session_expired`, `invalid_grant` …
 */
export const SessionError = z
  .looseObject({ error: z.string(), error_description: z.string().optional() })
  .meta({ id: 'SessionError' })
export type SessionError = z.infer<typeof SessionError>

/** Body of an unhandled error, `application/problem+json`. */
export const ProblemDetails = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    traceId: z.string().optional(),
  })
  .meta({ id: 'ProblemDetails' })
export type ProblemDetails = z.infer<typeof ProblemDetails>

/** Body of a validation error on tools and knowledge-base routes (section 7). */
export const ValidationDetail = z
  .object({
    detail: z.array(
      z.object({
        loc: z.array(z.union([z.string(), z.int()])),
        msg: z.string(),
        type: z.string(),
      }),
    ),
  })
  .meta({ id: 'ValidationDetail' })
export type ValidationDetail = z.infer<typeof ValidationDetail>

/**
 * `errors` member of identity and data responses: empty, null, or an object from field to
 * message.
 */
export const FieldErrors = z.record(z.string(), z.string()).nullable().meta({ id: 'FieldErrors' })
export type FieldErrors = z.infer<typeof FieldErrors>

/** One entry of a GraphQL result's top-level `errors`, checked before `data` (4.5 rule 5). */
export const GatewayError = z
  .looseObject({
    message: z.string(),
    path: z.array(z.union([z.string(), z.int()])).optional(),
    locations: z.array(z.object({ line: z.int(), column: z.int() })).optional(),
    extensions: z.looseObject({ code: z.string().optional() }).optional(),
  })
  .meta({ id: 'GatewayError' })
export type GatewayError = z.infer<typeof GatewayError>
