import { runtimeExports } from './runtime-exports.ts'

/** Keywords of JavaScript, which the names of mutations may be. */
const keywords = `
break case catch class const continue debugger default delete do else enum
export extends false finally for function if implements import in instanceof interface
let new null package private protected public return static super switch this
throw true try typeof var void while with yield await arguments`
  .trim()
  .split(/\s+/)

/** Types of TypeScript, type parameters and functions of the runtime that generated modules use. */
const usedNames = `
AsyncGenerator Exclude F GatewayLongs K L Partial Pick Promise R S bigint boolean
change changeDocument changeNode count factory fields from get infiniteOptions
insert insertDocument insertMany insertManyDocument insertManyNode insertNode keyof label list
listDocument listNested listNode load longsAsBigints longsAsNumbers longsAsStrings mutationOptions
number pick queryOptions readonly sendingStrings string toInput toLabel type undefined unknown
validator walk`
  .trim()
  .split(/\s+/)

/** Names that the module of a schema exports, with `T$` for its type name. */
const typeNames = `
T$ T$Row T$Members T$Scalars T$Shape T$Field T$Where T$Sort T$Page T$ListVariables T$NestedOptions
T$InsertInput T$UpdateInput T$Condition T$Conditions T$Longs T$References T$Labels T$SchemaLabel
T$Schema T$InsertSchema T$UpdateSchema toT$Insert toT$Update makeT$ makeT$InsertInput
getT$ getT$Nested getT$Options getT$NestedOptions loadT$ loadT$Options toT$Label labelT$
labelT$Options`
  .trim()
  .split(/\s+/)

/** Names derived from a list query, with `L$` for its name without `list`. */
const listNames = `
listL$ listL$Nested listL$Document listL$Options listL$InfiniteOptions listL$NestedOptions
listL$NestedInfiniteOptions countL$ countL$Options walkL$ walkL$Nested pickL$ pickL$Options`
  .trim()
  .split(/\s+/)

/** Names derived from a mutation, with `M$` for its name. */
const mutationNames = ['M$', 'M$Document', 'M$Options']

/** Patterns of all names that emitters derive; a test compares them with what they emit. */
export const derivedPatterns = { typeNames, listNames, mutationNames, usedNames } as const

/** Identifiers that generated modules use or the barrel exports, which are not available to schemas. */
export const reservedNames: readonly string[] = [
  ...new Set([
    ...usedNames,
    ...Object.values(runtimeExports).flatMap(({ values, types }) => [...values, ...types]),
    ...keywords,
  ]),
]

/** Returns all names that the module of a schema may export, derived from its type name. */
export const derivedNames = (type: string): readonly string[] =>
  typeNames.map((name) => name.replace('T$', type))

/** Returns all names derived from the function name of a list query or mutation. */
export const derivedOperations = (identifier: string): readonly string[] =>
  identifier.startsWith('list')
    ? listNames.map((name) => name.replace('L$', identifier.slice('list'.length)))
    : mutationNames.map((name) => name.replace('M$', identifier))
