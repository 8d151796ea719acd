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
  'GatewayShape',
  'GatewayRecord',
  'GatewayRecordWhere',
  'GatewayRecordInput',
  'GatewayGet',
  'GatewayCount',
  'GatewayWalk',
  'GatewayWalkOptions',
  'GatewayMoved',
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
  'withRenewal',
  'execute',
  'orThrow',
  'GatewayOperationError',
] as const

/** Exports that only generated modules use; the barrel leaves them out. */
export const runtimeInternals = [
  'send',
  'list',
  'listDocument',
  'listNested',
  'printShape',
  'get',
  'count',
  'insert',
  'insertDocument',
] as const

/** Exports of the runtime's other files, which options add. */
export const runtimeParts = {
  'gateway-walk': ['walk'],
  'gateway-node': ['GatewayDocumentNode', 'listNode', 'insertNode'],
  'gateway-query': [
    'GatewayQueryOptions',
    'GatewayListQueryOptions',
    'GatewayGetOptions',
    'listOptions',
    'getOptions',
  ],
  'gateway-validate': ['StandardSchema', 'StandardResult', 'StandardIssue', 'validator'],
  'gateway-factory': ['GatewayFactory', 'factory'],
} as const

/** Identifiers that a generated module refers to, so that no schema may take them. */
export const reservedNames: readonly string[] = [
  ...runtimeTypes,
  ...runtimeValues,
  ...runtimeInternals,
  ...Object.values(runtimeParts).flat(),
  'fields',
  // Type parameters of the operations and of nested rows.
  'F',
  'K',
  'R',
  'S',
  'AsyncGenerator',
  'Pick',
  'Promise',
]

/** All type names that a schema's module may export, given the schema's own. */
export function derivedNames(type: string): readonly string[] {
  return [
    type,
    `${type}Field`,
    `${type}Scalars`,
    `${type}Members`,
    `${type}Where`,
    `${type}ListVariables`,
    `${type}ListOptions`,
    `${type}NestedOptions`,
    `${type}Sort`,
    `${type}Page`,
    `${type}InsertInput`,
    `${type}InsertSchema`,
    `${type}Shape`,
    `${type}Row`,
    `get${type}`,
    `get${type}Nested`,
    `get${type}Options`,
    `make${type}`,
    `make${type}InsertInput`,
  ]
}

/** All names that come with a list query's or an insert's function, given its own. */
export function derivedOperations(identifier: string): readonly string[] {
  const names = [identifier, `${identifier}Document`, `${identifier}Nested`, `${identifier}Options`]
  if (!identifier.startsWith('list')) return names
  const what = identifier.slice('list'.length)
  return [...names, `count${what}`, `walk${what}`, `walk${what}Nested`]
}
