import type { GatewayOptions } from '@servicekit/catalog/config'
import type { EmitOptions, GenerateOptions } from '@servicekit/codegen'
import { expectTypeOf } from 'vitest'

/** Options that are set. `generate` also accepts undefined. */
type Stated<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> }
type OfOutput = keyof EmitOptions | 'queryNaming' | 'bulkMutations'

// The section `gateway` of the config file has all options of the output, as `generate` has them.
expectTypeOf<keyof GatewayOptions>().toEqualTypeOf<OfOutput | 'outDir' | 'listing'>()
expectTypeOf<Stated<Omit<GatewayOptions, 'listing'>>>().toEqualTypeOf<
  Stated<Pick<GenerateOptions, OfOutput | 'outDir'>>
>()
