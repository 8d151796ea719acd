import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { project } from '@servicekit/testing/projects'
import { receiver, type Receiver } from '@servicekit/testing/receiver'
import { openServer } from '@servicekit/testing/open-server'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
let server: Awaited<ReturnType<typeof openServer>>
let hook: Receiver
let dataDir: string

beforeAll(async () => {
  // As an operator does before the program starts.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  dataDir = await mkdtemp(join(tmpdir(), 'servicekit-traces-'))
  hook = await receiver()
  server = await openServer({ dataDir, storage: { strategy: 'Local' }, outgoing: ['loopback'] })
  await server.platform.loadProject(project('P', { en: { m: { A: 'canary-value' } } }))
})
afterAll(async () => {
  await server?.stop()
  await hook?.close()
  await rm(dataDir, { recursive: true, force: true })
  trace.disable()
  context.disable()
  propagation.disable()
})
beforeEach(() => exporter.reset())

const spans = (kind: SpanKind) => exporter.getFinishedSpans().filter((span) => span.kind === kind)

it('traces a request and its statements within the trace of the caller', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const response = await server.send('/localization/v4/Language/Gets?ProjectKey=P', {
    headers: { 'x-service-key': 'P', traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  })
  expect(response.status).toBe(200)
  const [request, ...others] = spans(SpanKind.SERVER)
  expect(others).toEqual([])
  expect(request).toMatchObject({
    name: 'GET localization.listLanguages',
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'servicekit.operation': 'localization.listLanguages',
      'servicekit.request_id': response.headers.get('x-request-id'),
    },
  })
  expect(request!.spanContext().traceId).toBe(traceId)
  expect(request!.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
  // The queue polls the database in the meantime.
  const statements = spans(SpanKind.CLIENT).filter((span) => span.spanContext().traceId === traceId)
  expect(statements.map(({ name }) => name)).toContain('SELECT')
  for (const { parentSpanContext, attributes } of statements) {
    expect(parentSpanContext?.spanId).toBe(request!.spanContext().spanId)
    expect(attributes['db.query.text']).not.toContain('canary')
  }
  expect(server.entries('request').at(-1)).toMatchObject({ traceId })
})

it('traces deliveries of webhooks, and marks requests that fail', async () => {
  const webhook = { url: hook.address, contentType: 'application/json', isDisabled: false }
  await server.control('PUT', '/projects/P/webhook', { ...webhook, projectKey: 'P' })
  await server.control('PUT', '/projects/P/texts', [
    { language: 'en', module: 'm', key: 'A', value: 'b' },
  ])
  await hook.take(1)
  await expect
    .poll(() => spans(SpanKind.CONSUMER))
    .toMatchObject([
      { name: 'webhook', attributes: { 'servicekit.job': 'webhook', 'servicekit.tries': 1 } },
    ])
  server.platform.faults.add({ path: '/localization/*', status: 503, times: 1 })
  await server.send('/localization/v4/Language/Gets?ProjectKey=P')
  expect(spans(SpanKind.SERVER).at(-1)).toMatchObject({
    attributes: { 'http.response.status_code': 503 },
    status: { code: 2 },
  })
})
