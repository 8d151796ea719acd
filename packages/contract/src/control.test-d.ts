import { expectTypeOf } from 'vitest'
import { access } from './operation.ts'
import type { ControlAddress, ControlEffects, ControlInput, ControlResult } from './control.ts'
import { defineControl } from './control/define.ts'

type Keys = ControlInput<'GET /projects/{project}/keys'>
expectTypeOf<Keys['path']>().toEqualTypeOf<{ readonly project: string }>()
expectTypeOf<{ path: { project: string }; query: { page: number } }>().toExtend<Keys>()
expectTypeOf<{ path: { project: string }; query: { page: boolean } }>().not.toExtend<Keys>()
expectTypeOf<ControlResult<'GET /projects/{project}/keys'>['totalCount']>().toBeNumber()
expectTypeOf<ControlResult<'POST /queue/drain'>>().toBeVoid()
type Drafts = ControlInput<'PUT /projects/{project}/drafts'>
expectTypeOf<{ path: { project: string } }>().not.toExtend<Drafts>()
expectTypeOf<'GET /project'>().not.toExtend<ControlAddress>()

// @ts-expect-error Nobody may call an operation unless its definition says so.
defineControl('test.open', 'GET /open', { summary: 'An operation without a rule' })
defineControl('test.closed', 'GET /closed', { summary: 'A rule', access: access.operator })

const reading = defineControl('test.read', 'POST /search', {
  summary: 'A search',
  access: access.operator,
  effect: 'read',
})
expectTypeOf(reading.route.effect).toEqualTypeOf<'read'>()
expectTypeOf<ControlEffects['POST /projects/{project}/publish/preview']>().toEqualTypeOf<'read'>()
expectTypeOf<keyof ControlEffects>().not.toExtend<`GET ${string}`>()
