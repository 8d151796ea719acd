/** Names that the generated runtime exports; a test compares them with its source. */
export const runtimeTypes = [
  'Gateway',
  'GatewayResponse',
  'GatewayResult',
  'GatewaySuccess',
  'GatewayFailure',
  'GatewayError',
  'GatewayPage',
  'GatewayPageInfo',
  'GatewayPaging',
  'GatewaySort',
  'GatewayDocument',
  'MutationResult',
  'GeoJson',
  'DateTimeInput',
  'StringFilter',
  'IdFilter',
  'NumberFilter',
  'DateTimeFilter',
  'BooleanFilter',
] as const

export const runtimeValues = [
  'createGateway',
  'execute',
  'orThrow',
  'GatewayOperationError',
] as const

/** Exports that only generated modules use; the barrel leaves them out. */
export const runtimeInternals = ['list', 'listNested', 'insert'] as const

/** Identifiers that a generated module refers to, so that no schema may take them. */
export const reservedNames: readonly string[] = [
  ...runtimeTypes,
  ...runtimeValues,
  ...runtimeInternals,
  'Pick',
  'Promise',
]

/** All type names that a schema's module may export, given the schema's own. */
export function derivedNames(type: string): readonly string[] {
  return [
    type,
    `${type}Field`,
    `${type}Where`,
    `${type}ListVariables`,
    `${type}Page`,
    `${type}InsertInput`,
    `${type}Shape`,
    `${type}Row`,
  ]
}
