import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql'
import { validationError } from './gateway-error.ts'

/** Most root fields of one operation: each costs its own queries. */
const maxRoots = 50

const fragmentsOf = (document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions
      .filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one]),
  )

/** Refuses operations whose selections nest deeper than `max`. Introspection may. */
export const limitDepth =
  (max: number): ValidationRule =>
  (context) => {
    const fragments = fragmentsOf(context.getDocument())
    const depths = new Map<string, number>()
    const depthOf = (set: SelectionSetNode | undefined, open: readonly string[]): number => {
      let deepest = 0
      for (const one of set?.selections ?? []) {
        if (one.kind === Kind.FIELD) {
          if (one.name.value.startsWith('__')) continue
          deepest = Math.max(deepest, 1 + depthOf(one.selectionSet, open))
        } else if (one.kind === Kind.INLINE_FRAGMENT) {
          deepest = Math.max(deepest, depthOf(one.selectionSet, open))
        } else if (!open.includes(one.name.value)) {
          deepest = Math.max(deepest, fragmentDepth(one.name.value, open))
        }
      }
      return deepest
    }
    const fragmentDepth = (name: string, open: readonly string[]): number => {
      const known = depths.get(name)
      if (known !== undefined) return known
      const depth = depthOf(fragments.get(name)?.selectionSet, [...open, name])
      depths.set(name, depth)
      return depth
    }
    return {
      OperationDefinition: (node) => {
        if (depthOf(node.selectionSet, []) <= max) return
        context.reportError(validationError(`The query nests deeper than ${max}.`, node))
      },
    }
  }

/** Refuses documents with more aliases than `max`: each lets one field be asked for again. */
export const limitAliases =
  (max: number): ValidationRule =>
  (context) => {
    let count = 0
    return {
      Field: (node) => {
        if (node.alias && ++count === max + 1) {
          context.reportError(validationError(`The query has more than ${max} aliases.`, node))
        }
      },
    }
  }

/** Refuses operations with very many root fields. */
export const limitRoots: ValidationRule = (context) => {
  const fragments = fragmentsOf(context.getDocument())
  const collect = (set: SelectionSetNode | undefined, names: Set<string>, seen: Set<string>) => {
    for (const one of set?.selections ?? []) {
      if (one.kind === Kind.FIELD) names.add(one.alias?.value ?? one.name.value)
      else if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet, names, seen)
      else if (!seen.has(one.name.value)) {
        seen.add(one.name.value)
        collect(fragments.get(one.name.value)?.selectionSet, names, seen)
      }
    }
    return names
  }
  return {
    OperationDefinition: (node) => {
      if (collect(node.selectionSet, new Set(), new Set()).size <= maxRoots) return
      context.reportError(validationError(`The query has more than ${maxRoots} fields.`, node))
    },
  }
}
