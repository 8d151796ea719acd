/** Names exported by the generated runtime. A test compares them with its source. */
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

/** Exports used only by generated modules. The barrel omits them. */
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

/** Exports of the other runtime files. */
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

/** Identifiers used in generated modules, which are not available to schemas. */
export const reservedNames: readonly string[] = [
  ...runtimeTypes,
  ...runtimeValues,
  ...runtimeInternals,
  ...Object.values(runtimeParts).flat(),
  'fields',
  // Type parameters of operations and nested rows.
  'F',
  'K',
  'R',
  'S',
  'AsyncGenerator',
  'Pick',
  'Promise',
]

/** Returns all names that the module of a schema may export, derived from its type name. */
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

/** Returns all names derived from the function name of a list query or insert. */
export function derivedOperations(identifier: string): readonly string[] {
  const names = [identifier, `${identifier}Document`, `${identifier}Nested`, `${identifier}Options`]
  if (!identifier.startsWith('list')) return names
  const what = identifier.slice('list'.length)
  return [...names, `count${what}`, `walk${what}`, `walk${what}Nested`]
}
