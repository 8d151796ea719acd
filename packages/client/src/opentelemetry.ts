import type { Hooks } from './hooks.ts'

/** The members of an `@opentelemetry/api` span used here. */
export interface OtelSpan {
  /** Adds an attribute. */
  readonly setAttribute: (name: string, value: string | number) => unknown
  /** Marks the span as failed. */
  readonly setStatus: (status: { readonly code: number; readonly message?: string }) => unknown
  /** Ends the span. */
  readonly end: () => void
  /** Returns the ids for the `traceparent` header. */
  readonly spanContext: () => {
    readonly traceId: string
    readonly spanId: string
    readonly traceFlags: number
  }
}

/** The members of an `@opentelemetry/api` tracer used here; the package is not a dependency. */
export interface OtelTracer {
  /** Starts a span. */
  readonly startSpan: (
    name: string,
    options: {
      readonly kind: number
      readonly attributes: Readonly<Record<string, string | number>>
    },
  ) => OtelSpan
}

/**
 * Creates hooks that record a span for each attempt and send a `traceparent` header, so
 * that spans of the service continue the trace.
 *
 * ```ts
 * import { trace } from '@opentelemetry/api'
 * createClient({ …, hooks: openTelemetry(trace.getTracer('shop')) })
 * ```
 *
 * @param options `propagate` sends the header. Default: true. In a browser the instance
 *   must allow the header (CORS).
 */
export function openTelemetry(
  tracer: OtelTracer,
  { propagate = true }: { readonly propagate?: boolean } = {},
): Hooks {
  const spans = new WeakMap<object, OtelSpan>()
  return {
    before: (event) => {
      const span = tracer.startSpan(event.operation, {
        kind: 2, // SpanKind.CLIENT
        attributes: {
          'http.request.method': event.method,
          'url.template': event.path,
          'servicekit.project': event.project,
          'http.request.resend_count': event.attempt - 1,
          ...(event.requestId === undefined ? {} : { 'servicekit.request_id': event.requestId }),
        },
      })
      spans.set(event, span)
      const { traceId, spanId, traceFlags } = span.spanContext()
      const flags = (traceFlags & 0xff).toString(16).padStart(2, '0')
      return propagate ? { traceparent: `00-${traceId}-${spanId}-${flags}` } : undefined
    },
    after: (event, { status, code }) => {
      const span = spans.get(event)
      if (!span) return
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      if (code !== undefined) {
        span.setAttribute('error.type', code)
        span.setStatus({ code: 2 }) // SpanStatusCode.ERROR
      }
      span.end()
    },
  }
}
