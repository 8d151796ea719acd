import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { ResolvedOptions } from '../options.ts'
import { validationError } from './gateway-error.ts'

/** Root fields used by the operations of a document. */
export interface RootFields {
  readonly queries: readonly string[]
  readonly mutations: readonly string[]
  /** True if validation needs types that no root field returns. */
  readonly needsWholeSchema: boolean
}

type Limits = Pick<ResolvedOptions['gateway'], 'maxAliases' | 'maxCost' | 'maxDepth'>

const maxOperations = 20
/**
 * Limits per operation. Each query field runs its own statements; each mutation field its
 * own transaction.
 */
const maxRootFields = { query: 50, mutation: 20, subscription: 1 } as const
/**
 * Maximum number of comparisons in the validation rule `OverlappingFieldsCanBeMerged`,
 * which compares fields with the same response name in pairs, and fields with fragments.
 * 80,000 take about 10 ms.
 */
const maxComparisons = 80_000
/** Cost of a literal object: validation and coercion look up every field of its type. */
const objectCost = 15

/** Introspection fields that return lists, with their weights. Listing all types costs most. */
const introspectionLists = new Map([
  ['types', 2],
  ['directives', 1],
  ['fields', 1],
  ['inputFields', 1],
  ['interfaces', 1],
  ['possibleTypes', 1],
])
/**
 * Maximum weight: that of the usual introspection query, `types { fields }`, and of
 * `fields` nested three deep.
 */
const maxIntrospectionWeight = 3

/**
 * Returns the root fields of a document, after checking the limits that keep validation
 * and execution cheap. Each step visits a fragment at most once per operation.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for a document that exceeds a limit.
 */
export function inspectDocument(document: DocumentNode, limits: Limits): RootFields {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const fragments = new Map(
    document.definitions
      .filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one]),
  )
  if (operations.length > maxOperations) {
    throw validationError(`The document has more than ${maxOperations} operations.`)
  }
  checkNodes(document, fragments.size, limits)
  const found = {
    query: new Set<string>(),
    mutation: new Set<string>(),
    subscription: new Set<string>(),
  }
  for (const operation of operations) {
    const roots = rootFieldsOf(operation, fragments)
    const max = maxRootFields[operation.operation]
    if (roots.size > max) {
      throw validationError(`The ${operation.operation} has more than ${max} fields.`, operation)
    }
    for (const { name } of roots.values()) found[operation.operation].add(name.value)
  }
  checkDepths(operations, fragments, limits.maxDepth)
  const { query, mutation } = found
  const isIntrospection = [...query, ...mutation].some((name) => /^__(schema|type)$/.test(name))
  return {
    queries: [...query],
    mutations: [...mutation],
    needsWholeSchema:
      isIntrospection ||
      operations.some(({ operation }) => operation === OperationTypeNode.SUBSCRIPTION) ||
      // Without mutation fields the partial schema has no type "Mutation".
      (mutation.size === 1 && mutation.has('__typename')),
  }
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Counts each node of a document once, and checks the limits. */
function checkNodes(document: DocumentNode, fragmentCount: number, limits: Limits): void {
  const uses = new Map<string, number>()
  let aliases = 0
  let fields = 0
  let spreads = 0
  let valueCost = 0
  visit(document, {
    Field: ({ alias, name }) => {
      if (alias) aliases++
      fields++
      const key = alias?.value ?? name.value
      uses.set(key, (uses.get(key) ?? 0) + 1)
    },
    FragmentSpread: () => void spreads++,
    InlineFragment: () => void spreads++,
    ObjectValue: () => void (valueCost += objectCost),
    ObjectField: () => void valueCost++,
    ListValue: () => void valueCost++,
    StringValue: () => void valueCost++,
    IntValue: () => void valueCost++,
  })
  if (aliases > limits.maxAliases) {
    throw validationError(`The document has more than ${limits.maxAliases} aliases.`)
  }
  if (valueCost > limits.maxCost) {
    throw validationError('The document has too many values. Use variables.')
  }
  const repeated = [...uses.values()].reduce((sum, count) => sum + count * count, 0)
  if (repeated + fragmentCount * (fields + spreads) > maxComparisons) {
    throw validationError('The document repeats too many fields and fragments.')
  }
}

/** Returns the root fields of an operation by response name, including those of fragments. */
function rootFieldsOf(
  operation: OperationDefinitionNode,
  fragments: Fragments,
): ReadonlyMap<string, FieldNode> {
  const roots = new Map<string, FieldNode>()
  const seen = new Set<string>()
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const one of set?.selections ?? []) {
      if (one.kind === Kind.FIELD) roots.set(one.alias?.value ?? one.name.value, one)
      else if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet)
      else if (!seen.has(one.name.value)) {
        seen.add(one.name.value)
        collect(fragments.get(one.name.value)?.selectionSet)
      }
    }
  }
  collect(operation.selectionSet)
  return roots
}

/** Checks the nesting depth of selections and of introspection. */
function checkDepths(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  maxDepth: number,
): void {
  // A fragment that spreads itself counts as 0 here; validation rejects it.
  const deepest = (weigh: (field: FieldNode, inner: () => number) => number) => {
    const known = new Map<string, number>()
    const ofFragment = (name: string): number => {
      if (!known.has(name)) {
        known.set(name, 0)
        known.set(name, ofSet(fragments.get(name)?.selectionSet))
      }
      return known.get(name)!
    }
    const ofSet = (set: SelectionSetNode | undefined): number => {
      let max = 0
      for (const one of set?.selections ?? []) {
        if (one.kind === Kind.FIELD)
          max = Math.max(
            max,
            weigh(one, () => ofSet(one.selectionSet)),
          )
        else if (one.kind === Kind.INLINE_FRAGMENT) max = Math.max(max, ofSet(one.selectionSet))
        else max = Math.max(max, ofFragment(one.name.value))
      }
      return max
    }
    return ofSet
  }
  const introspection = deepest((field, inner) => {
    if (field.alias) throw validationError('Introspection takes no aliases.', field)
    return (introspectionLists.get(field.name.value) ?? 0) + inner()
  })
  const depth = deepest((field, inner) => {
    if (!field.name.value.startsWith('__')) return 1 + inner()
    const isRoot = field.selectionSet !== undefined
    if (isRoot && (field.alias || introspection(field.selectionSet) > maxIntrospectionWeight)) {
      throw validationError('The introspection nests too many lists, or has aliases.', field)
    }
    return 0
  })
  for (const operation of operations) {
    if (depth(operation.selectionSet) > maxDepth) throw tooDeep(maxDepth, operation)
  }
}

const tooDeep = (max: number, node: ASTNode) =>
  validationError(`The query nests deeper than ${max}.`, node)
