import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/*
 * Only the API: without an SDK, which operators load with `node --import`, it does nothing.
 */
const tracer = trace.getTracer('@servicekit/server')

const kinds: Readonly<Record<string, SpanKind>> = {
  sql: SpanKind.CLIENT,
  job: SpanKind.CONSUMER,
}

/** Runs a part of the platform in a span: `sql` or `job`. */
export const traceWork = <T>(
  kind: string,
  attributes: Attributes,
  run: () => Promise<T>,
): Promise<T> => {
  const name = String(attributes['db.operation.name'] ?? attributes['servicekit.job'] ?? kind)
  const all = kind === 'sql' ? { 'db.system.name': 'postgresql', ...attributes } : attributes
  return inSpan(name, { kind: kinds[kind] ?? SpanKind.INTERNAL, attributes: all }, run)
}

/** Handles a request in a span, which continues the trace of its headers. */
export function traceRequest(request: Request, handle: () => Promise<Response>): Promise<Response> {
  const parent = propagation.extract(context.active(), request.headers, {
    get: (headers, name) => headers.get(name) ?? undefined,
    keys: (headers) => [...headers.keys()],
  })
  const { pathname } = new URL(request.url)
  const attributes = { 'http.request.method': request.method, 'url.path': pathname }
  return context.with(parent, () =>
    inSpan(request.method, { kind: SpanKind.SERVER, attributes }, async (span) => {
      const response = await handle()
      span.setAttribute('http.response.status_code', response.status)
      if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      return response
    }),
  )
}

/** Names the current span after the operation of its request. */
export function nameRequest(method: string, operation: string, requestId: string): void {
  const span = trace.getActiveSpan()
  span?.updateName(`${method} ${operation}`)
  span?.setAttributes({ 'servicekit.operation': operation, 'servicekit.request_id': requestId })
}

function inSpan<T>(
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await run(span)
    } catch (error) {
      // Not the error itself, whose message may contain values of a statement.
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name })
      throw error
    } finally {
      span.end()
    }
  })
}
