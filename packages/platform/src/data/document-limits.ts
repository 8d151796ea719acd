import {
  type ASTNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { ResolvedOptions } from '../options.ts'
import { validationError } from './gateway-error.ts'
import { fieldsOf, type Fragments, fragmentsOf, operationsOf, responseName } from './selection.ts'

// Own code, because libraries such as graphql-armor limit only depth, aliases and tokens. They
// do not limit what makes validation itself slow: repeated fields, fragments and literals.

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
/** Costs of literal values. Validation and coercion look up every field of an object's type. */
const literalCosts: Readonly<Record<string, number>> = {
  [Kind.OBJECT]: 15,
  [Kind.OBJECT_FIELD]: 1,
  [Kind.LIST]: 1,
  [Kind.STRING]: 1,
  [Kind.INT]: 1,
}

/**
 * Checks the limits that keep validation and execution cheap. Each step visits a fragment
 * at most once per operation.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for a document that exceeds a limit.
 */
export function checkLimits(document: DocumentNode, limits: Limits): void {
  const operations = operationsOf(document)
  const fragments = fragmentsOf(document)
  if (operations.length > maxOperations) {
    throw validationError(`The document has more than ${maxOperations} operations.`)
  }
  checkNodes(document, Object.keys(fragments).length, limits)
  for (const operation of operations) {
    const kind = operation.operation
    const roots = new Set(fieldsOf(operation.selectionSet, fragments).map(responseName))
    if (roots.size > maxRootFields[kind]) {
      throw validationError(`The ${kind} has more than ${maxRootFields[kind]} fields.`, operation)
    }
  }
  checkDepths(operations, fragments, limits.maxDepth)
}

function checkNodes(document: DocumentNode, fragmentCount: number, limits: Limits): void {
  const uses = new Map<string, number>()
  let aliases = 0
  let fields = 0
  let spreads = 0
  let valueCost = 0
  let introspections = 0
  visit(document, {
    enter: (node) => {
      if (isIntrospection(node)) introspections++
      valueCost += literalCosts[node.kind] ?? 0
      if (node.kind === Kind.FRAGMENT_SPREAD || node.kind === Kind.INLINE_FRAGMENT) spreads++
      if (node.kind !== Kind.FIELD) return
      if (node.alias && introspections > 0) {
        throw validationError('Introspection does not allow aliases.', node)
      }
      if (node.alias) aliases++
      fields++
      const name = responseName(node)
      uses.set(name, (uses.get(name) ?? 0) + 1)
    },
    leave: (node) => {
      if (isIntrospection(node)) introspections--
    },
  })
  if (aliases > limits.maxAliases) {
    throw validationError(`The document has more than ${limits.maxAliases} aliases.`)
  }
  if (valueCost > limits.maxCost) {
    throw validationError('The document has too many literal values. Use variables.')
  }
  const repeated = [...uses.values()].reduce((sum, count) => sum + count * count, 0)
  if (repeated + fragmentCount * (fields + spreads) > maxComparisons) {
    throw validationError('The document repeats too many fields and fragments.')
  }
}

/** Returns true if all fields in a node are those of introspection. */
const isIntrospection = (node: ASTNode): boolean =>
  (node.kind === Kind.FIELD &&
    node.selectionSet !== undefined &&
    node.name.value.startsWith('__')) ||
  (node.kind === Kind.FRAGMENT_DEFINITION && node.typeCondition.name.value.startsWith('__'))

/** Checks the nesting depth of selections, but not of introspection, which graphql limits. */
function checkDepths(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  maxDepth: number,
): void {
  const depths = new Map<string, number>()
  const ofFragment = (name: string): number => {
    if (!depths.has(name)) {
      // A fragment that spreads itself counts as 0 here; validation rejects it.
      depths.set(name, 0)
      depths.set(name, ofSet(fragments[name]?.selectionSet))
    }
    return depths.get(name)!
  }
  const ofSet = (set: SelectionSetNode | undefined): number => {
    let max = 0
    for (const one of set?.selections ?? []) {
      if (one.kind === Kind.FIELD && one.name.value.startsWith('__')) continue
      const depth =
        one.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(one.name.value)
          : ofSet(one.selectionSet) + (one.kind === Kind.FIELD ? 1 : 0)
      max = Math.max(max, depth)
    }
    return max
  }
  for (const operation of operations) {
    if (ofSet(operation.selectionSet) > maxDepth) {
      throw validationError(`The query nests deeper than ${maxDepth}.`, operation)
    }
  }
}
