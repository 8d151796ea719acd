import type { ts } from 'ts-morph'
import type { FunctionNode } from './functions.ts'
import type { Binding, Scope } from './scopes.ts'

type OpaqueBinding = Binding & { readonly kind: 'opaque' }

/** Static value of an expression, as far as it is relevant to usage. */
export type Value =
  /** Key module: `* as auth`. */
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'message'; readonly module: string; readonly name: string }
  /** All exports of another file of the application. */
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'promise'; readonly of: Value }
  /** i18next, or the result of its hooks: an object with `t`. */
  | ({ readonly kind: 'i18n' } & Translator)
  | ({ readonly kind: 't' } & Translator)
  /** Object or list built by the application. */
  | { readonly kind: 'object'; readonly member: (name: string) => Value | undefined }
  | FunctionValue

interface Translator {
  /** Candidate modules in lookup order; undefined if unknown. */
  readonly modules: readonly string[] | undefined
  /** Prefix of every key. */
  readonly prefix: string
  /** Package of the hook that returned it. */
  readonly from?: string
  /**
   * `true` if the code of the hook is not available, so that the value may be `t` itself.
   */
  readonly isExternal?: true
  /** `true` if nothing calls the function that it is a parameter of. */
  readonly isUncalled?: true
  /** Reason why a message may differ from its result. */
  readonly doubt?: string
}

export interface FunctionValue {
  readonly kind: 'function'
  /** Node of a function of the application. */
  readonly node: FunctionNode | undefined
  readonly call: (given: readonly Argument[], depth: number) => Value | undefined
  /**
   * Returns whether the function calls only hooks of i18next, so that its calls can be
   * removed together with them.
   */
  readonly isPlain: (depth: number) => boolean
  readonly forward: (given: readonly Argument[], depth: number) => Forward | undefined
}

/** Argument with the context of its file. */
export interface Argument {
  readonly node: ts.Expression
  readonly context: Context
}

/** Call of `t` inside a function of the application. */
export interface Forward {
  readonly call: ts.CallExpression
  readonly t: Value & { readonly kind: 't' }
  readonly key: Argument
  /** `true` if calling the function is equivalent to calling `t`. */
  readonly isSame: boolean
}

/** Context for reading the code of a file. */
export interface Context {
  /** Returns the value of an imported name; `*` is the namespace. */
  readonly imported: (specifier: string, name: string) => Value | undefined
  /** Returns `~uilm/…` for a specifier that leads to it; undefined for others. */
  readonly messageSpecifier: (specifier: string) => string | undefined
  /** Returns the value of an export of another file. */
  readonly member: (file: string, name: string) => Value | undefined
  readonly scopeOf: (node: ts.Node) => Scope
  /** Returns whether a function of this name returns `t` or an object containing it. */
  readonly isHook: (name: string) => boolean
  /** Cached values by name: most names are looked up repeatedly. */
  readonly known: WeakMap<Binding, { readonly value: Value | undefined }>
  /** Cached results of functions. */
  readonly functions: WeakMap<FunctionNode, { readonly value: Value | undefined }>
  /** Returns the `t` that all calls of a function pass for a parameter, if they are known. */
  readonly passedTo: (parameter: NonNullable<OpaqueBinding['parameter']>) => Value | undefined
  /**
   * Returns what all calls of a function pass for a parameter or a property of it, without those
   * that pass nothing; undefined if some calls are unknown.
   */
  readonly argumentsOf: (
    parameter: NonNullable<OpaqueBinding['parameter']>,
  ) => readonly Argument[] | undefined
  /** Returns the value of a constant of the application; undefined if it may change. */
  readonly constant: (specifier: string, name: string) => Argument | undefined
  /** Returns whether code changes the contents of a constant. */
  readonly isMutated: (name: string) => boolean
  /** Returns whether no code of the application, tests included, mentions a function. */
  readonly isUnused: (name: string) => boolean
  /** Arguments of the calls that are being followed. */
  readonly given: ReadonlyMap<ts.ParameterDeclaration, readonly Argument[]>
}
