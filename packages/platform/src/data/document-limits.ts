import {
  type DocumentNode,
  type FieldNode,
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
/** Introspection fields that return lists. */
const introspectionLists = /^(types|directives|fields|inputFields|interfaces|possibleTypes)$/
/**
 * Maximum nesting of introspection lists, in which `types` counts twice: that of the usual
 * introspection query, `types { fields }`, and of `fields` nested three deep.
 */
const maxIntrospectionWeight = 3
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
  visit(document, {
    enter: (node) => {
      valueCost += literalCosts[node.kind] ?? 0
      if (node.kind === Kind.FRAGMENT_SPREAD || node.kind === Kind.INLINE_FRAGMENT) spreads++
      if (node.kind !== Kind.FIELD) return
      if (node.alias) aliases++
      fields++
      const name = responseName(node)
      uses.set(name, (uses.get(name) ?? 0) + 1)
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

/** Checks the nesting depth of selections and of introspection. */
function checkDepths(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  maxDepth: number,
): void {
  const introspection = weightBy(fragments, (field, inner) => {
    if (field.alias) throw validationError('Introspection does not allow aliases.', field)
    const name = field.name.value
    return (name === 'types' ? 2 : introspectionLists.test(name) ? 1 : 0) + inner()
  })
  const depth = weightBy(fragments, (field, inner) => {
    if (!field.name.value.startsWith('__')) return 1 + inner()
    const isRoot = field.selectionSet !== undefined
    if (isRoot && (field.alias || introspection(field.selectionSet) > maxIntrospectionWeight)) {
      throw validationError('The introspection nests too many lists, or has aliases.', field)
    }
    return 0
  })
  for (const operation of operations) {
    if (depth(operation.selectionSet) > maxDepth) {
      throw validationError(`The query nests deeper than ${maxDepth}.`, operation)
    }
  }
}

/**
 * Returns a function that computes the greatest weight of the fields of a selection. The
 * weight of a fragment is computed once.
 */
function weightBy(
  fragments: Fragments,
  weigh: (field: FieldNode, inner: () => number) => number,
): (set: SelectionSetNode | undefined) => number {
  const weights = new Map<string, number>()
  const ofFragment = (name: string): number => {
    if (!weights.has(name)) {
      // A fragment that spreads itself counts as 0 here; validation rejects it.
      weights.set(name, 0)
      weights.set(name, ofSet(fragments[name]?.selectionSet))
    }
    return weights.get(name)!
  }
  const ofSet = (set: SelectionSetNode | undefined): number => {
    let max = 0
    for (const one of set?.selections ?? []) {
      const weight =
        one.kind === Kind.FIELD
          ? weigh(one, () => ofSet(one.selectionSet))
          : one.kind === Kind.INLINE_FRAGMENT
            ? ofSet(one.selectionSet)
            : ofFragment(one.name.value)
      max = Math.max(max, weight)
    }
    return max
  }
  return ofSet
}
