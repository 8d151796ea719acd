import type { ts } from 'ts-morph'
import type { FunctionNode } from './functions.ts'
import type { Binding, Scope } from './scopes.ts'

/** What an expression stands for, as far as usage is concerned. */
export type Value =
  /** A key module: `* as auth`. */
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'message'; readonly module: string; readonly name: string }
  /** All exports of another file of the application. */
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'promise'; readonly of: Value }
  /** i18next, or the result of its hooks: an object with `t`. */
  | ({ readonly kind: 'i18n' } & Translator)
  | ({ readonly kind: 't' } & Translator)
  /** An object or list that the application builds. */
  | { readonly kind: 'object'; readonly member: (name: string) => Value | undefined }
  | FunctionValue

interface Translator {
  /** Modules that are asked, in order; undefined where the code does not say. */
  readonly modules: readonly string[] | undefined
  /** Put before every key. */
  readonly prefix: string
  /** The package whose hook returned it. */
  readonly from?: string
  /** Whether it may be `t` itself: the code of the hook is not there to be read. */
  readonly isUnread?: true
  /** Why a message of the catalog may not be the same as its result. */
  readonly doubt?: string
}

export interface FunctionValue {
  readonly kind: 'function'
  /** The function, where it is one of the application. */
  readonly node: FunctionNode | undefined
  readonly call: (given: readonly Argument[], depth: number) => Value | undefined
  /** The call of `t` that the function returns the result of. */
  /** Whether the function calls hooks of i18next alone, so that a call of it can go with them. */
  readonly isPlain: (depth: number) => boolean
  readonly forward: (given: readonly Argument[], depth: number) => Forward | undefined
}

/** An argument, with the file that it is read in. */
export interface Argument {
  readonly node: ts.Expression
  readonly context: Context
}

/** A call of `t` inside a function of the application. */
export interface Forward {
  readonly call: ts.CallExpression
  readonly t: Value & { readonly kind: 't' }
  readonly key: Argument
  /** Whether calling the function is the same as calling `t`. */
  readonly isSame: boolean
}

/** What a file is looked at with. */
export interface Context {
  /** Value of an import of a specifier's export; `*` is all of it. */
  readonly imported: (specifier: string, name: string) => Value | undefined
  /** Value of an export of another file. */
  readonly member: (file: string, name: string) => Value | undefined
  readonly scopeOf: (node: ts.Node) => Scope
  /** Whether a function of this name returns `t` or an object with it. */
  readonly isHook: (name: string) => boolean
  /** Values that were read already: most names are asked for again and again. */
  readonly known: WeakMap<Binding, { readonly value: Value | undefined }>
  /** Functions that were read already. */
  readonly functions: WeakMap<FunctionNode, { readonly value: Value | undefined }>
  /** Arguments of the calls that are being followed. */
  readonly given: ReadonlyMap<ts.ParameterDeclaration, readonly Argument[]>
}
