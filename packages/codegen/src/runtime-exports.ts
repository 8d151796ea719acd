/** Names that a file of the runtime exports to applications. */
interface RuntimeExports {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

const none = { values: [], types: [] } as const

/**
 * Files of the runtime, by name without an extension, with what the barrel exports of them. The
 * other exports are for generated modules. Listed, because the generator would need a parser of
 * TypeScript to read them from the files, and `export *` would export what is internal. A test
 * compares the names with the files.
 */
export const runtimeExports = {
  gateway: {
    values: ['createGateway', 'execute', 'orThrow', 'GatewayOperationError'],
    types: [
      'Gateway',
      'GatewayFetched',
      'GatewayRequest',
      'GatewayResponse',
      'GatewayResult',
      'GatewaySuccess',
      'GatewayFailure',
      'GatewayError',
      'GatewayDocument',
      'GatewayPage',
      'GatewayPageInfo',
      'GatewayPaging',
      'GatewaySort',
      'GatewayShape',
      'GatewayPick',
      'GatewayRecord',
      'GatewayRecordWhere',
      'GatewayRecordInput',
      'GatewayRecordUpdate',
      'GatewayGet',
      'GatewayCount',
      'GatewayWalk',
      'GatewayWalkOptions',
      'GatewayMoved',
      'MutationResult',
      'GeoJson',
      'DateTimeInput',
      'StringFilter',
      'IdFilter',
      'NumberFilter',
      'LongInput',
      'LongStringInput',
      'LongFilter',
      'LongStringFilter',
      'DateTimeFilter',
      'BooleanFilter',
    ],
  },
  'gateway-types': none,
  'gateway-request': none,
  'gateway-documents': none,
  'gateway-list': none,
  'gateway-exact-json': none,
  'gateway-long': none,
  'gateway-longs': none,
  'gateway-selection': none,
  'gateway-walk': none,
  'gateway-mutations': {
    values: [],
    types: [
      'BulkMutationResult',
      'DeleteInput',
      'GatewayFilled',
      'StringCondition',
      'IdCondition',
      'NumberCondition',
      'LongCondition',
      'LongStringCondition',
      'DateTimeCondition',
      'BooleanCondition',
      'GatewayRecordConditions',
      'GatewayCondition',
      'GatewayFields',
      'GatewayIf',
      'GatewayChange',
      'GatewayInsertMany',
      'GatewayChangeMany',
    ],
  },
  'gateway-input': {
    values: ['omitUndefined'],
    types: ['GatewayToInput', 'GatewayEdited', 'GatewayOptional', 'GatewayInferred'],
  },
  'gateway-node': { values: [], types: ['GatewayDocumentNode'] },
  'gateway-query': {
    values: ['optimistic', 'itemsOf', 'toSwr', 'toSwrInfinite', 'toSwrMutation'],
    types: [
      'GatewayQueryKey',
      'GatewayQueryOptions',
      'GatewayInfiniteOptions',
      'GatewayMutationOptions',
      'GatewayOptimisticOptions',
      'GatewaySnapshot',
      'GatewayMutationContext',
      'GatewayListQueryOptions',
      'GatewayInfiniteListOptions',
      'GatewayListInfiniteOptions',
      'GatewayGetOptions',
      'GatewayCountOptions',
      'GatewayChangeInput',
    ],
  },
  'gateway-query-key': none,
  'gateway-optimistic': none,
  'gateway-validate': {
    values: ['withMessages', 'reportDrift'],
    types: [
      'StandardSchema',
      'StandardResult',
      'StandardIssue',
      'StandardIssueCode',
      'GatewayDrift',
    ],
  },
  'gateway-factory': { values: [], types: ['GatewayFactory'] },
  'gateway-lookup': {
    values: [],
    types: [
      'GatewayChoice',
      'GatewayChoices',
      'GatewayPickListOptions',
      'GatewayPickList',
      'GatewayLabel',
      'GatewayReference',
    ],
  },
} as const satisfies Readonly<Record<string, RuntimeExports>>

export type RuntimePart = keyof typeof runtimeExports

export const runtimeParts = Object.keys(runtimeExports) as readonly RuntimePart[]
