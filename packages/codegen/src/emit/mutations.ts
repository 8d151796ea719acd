import type { OperationModel, SchemaModel } from '../model.ts'
import { type MutationKind, mutationKinds } from '@servicekit/core'
import { documentKind } from './document-kind.ts'
import type { BulkResponse } from './features.ts'
import { withLongArguments } from './longs.ts'
import type { ModuleContext } from './module.ts'
import type { Collectors, ValueSource } from './source.ts'

/** Generated function of a mutation. */
interface Mutation {
  readonly comment: string
  /** Type of the function. */
  readonly type: string
  /** Function of the runtime that creates it, and its document. */
  readonly make: 'insert' | 'insertMany' | 'change'
  /** Arguments of `make` after the names of the field and the schema. */
  readonly more?: string
  readonly result: string
  /** Type of the variables of the document. */
  readonly variables: string
}

type MutationContext = Pick<
  ModuleContext,
  'documents' | 'long' | 'longFilter' | 'withLongs' | 'bulkResponse'
>

/** Returns the type of the result of a mutation. */
export const resultTypeOf = (kind: MutationKind, bulkResponse: BulkResponse): string =>
  kind === 'insertMany' || (kind.endsWith('Many') && bulkResponse === 'BulkActionResponse')
    ? 'BulkMutationResult'
    : 'MutationResult'

/** Emits the mutations of an entity and their documents. */
export function emitMutations(
  schema: SchemaModel,
  context: MutationContext,
  collectors: Collectors,
): readonly ValueSource[] {
  const { types, uses } = collectors
  return mutationKinds.flatMap((kind) => {
    const operation = schema.mutations[kind]
    if (operation === undefined) return []
    const mutation = mutationOf(kind, schema, operation, context.bulkResponse, types)
    const { make, more = '', result, variables } = mutation
    types.add(result === 'MutationResult' ? 'gateway' : 'gateway-mutations', result)
    uses.add('gateway-mutations', make)
    const document = documentKind(context.documents, make, collectors)
    const at = `'${operation.field}', '${schema.name}'${more}`
    return [
      {
        comment: `/** ${mutation.comment} Returns \`{ ok: false }\` if it is not acknowledged. */\n`,
        name: operation.identifier,
        type: mutation.type,
        value: withLongArguments(
          schema,
          context,
          uses,
          make === 'change' ? 'condition' : 'input',
          `${make}(${at})`,
        ),
      },
      {
        comment: `/** The mutation of {@link ${operation.identifier}}, for any GraphQL client. */\n`,
        name: `${operation.identifier}Document`,
        type: document.typeOf(`{ readonly ${operation.field}: ${result} | null }`, variables),
        value: `/* @__PURE__ */ ${document.make}(${at})`,
      },
    ]
  })
}

function mutationOf(
  kind: MutationKind,
  { type }: SchemaModel,
  { identifier }: OperationModel,
  bulkResponse: BulkResponse,
  types: Collectors['types'],
): Mutation {
  const isMany = kind.endsWith('Many')
  const result = resultTypeOf(kind, bulkResponse)
  if (kind === 'insert') {
    types.add('gateway', 'Gateway', 'GatewayFailure', 'GatewaySuccess')
    return {
      comment: `Inserts one ${type}.`,
      type: `(
  gateway: Gateway,
  input: ${type}InsertInput,
) => Promise<GatewaySuccess<MutationResult> | GatewayFailure>`,
      make: 'insert',
      result,
      variables: `{ readonly input: ${type}InsertInput }`,
    }
  }
  if (kind === 'insertMany') {
    types.add('gateway-mutations', 'GatewayInsertMany')
    return {
      comment: `Inserts several ${type} records, or none of them.`,
      type: `GatewayInsertMany<${type}InsertInput>`,
      make: 'insertMany',
      result,
      variables: `{ readonly input: readonly ${type}InsertInput[] }`,
    }
  }
  const isDelete = kind.startsWith('delete')
  const input = isDelete ? 'DeleteInput' : `${type}UpdateInput`
  if (isDelete) types.add('gateway-mutations', input)
  const example = (condition: string): string =>
    `\`${identifier}(gateway, ${condition}, ${isDelete ? '{ isHardDelete: true }' : '{ … }'})\``
  const verb = isDelete ? 'Deletes' : 'Updates'
  const rest = {
    make: 'change',
    more: `, '${isDelete ? 'Delete' : 'Update'}'${result === 'BulkMutationResult' ? ', true' : ''}`,
    result,
    variables: `{ readonly where: ${type}Condition; readonly input: ${input} }`,
  } as const
  if (isMany) {
    types.add('gateway-mutations', 'GatewayChangeMany')
    return {
      comment: `${verb} all ${type} records that match a condition: ${example('{ ItemId: { in: ids } }')}.`,
      type: `GatewayChangeMany<${type}Conditions, ${type}Where, ${input}${result === 'MutationResult' ? ', MutationResult' : ''}>`,
      ...rest,
    }
  }
  types.add('gateway-mutations', 'GatewayChange')
  return {
    comment: `${verb} one ${type} by its ItemId, or the first that matches a condition: ${example('id')}.`,
    type: `GatewayChange<${type}Conditions, ${type}Where, ${input}>`,
    ...rest,
  }
}
