import { hasStringName, type MessageModel, specifierOf } from '@servicekit/catalog'
import { ts } from 'ts-morph'
import type { ReadFile } from '../usage/read-file.ts'
import { aliasOf } from './alias.ts'

/** Specifiers of messages in one file. */
export interface MessageSpecifiers {
  /** Returns `~uilm/…` for a specifier that leads to it; undefined for others. */
  readonly read: (specifier: string) => string | undefined
  /** Returns the specifier with which the file imports what `~uilm/…` names. */
  readonly write: (specifier: string) => string
}

/** Local names of imports that do not conflict with other names in the file. */
export class ImportNames {
  /** Local names by specifier and exported name, including existing imports. */
  readonly #locals = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #takesStringNames: boolean
  readonly #specifiers: MessageSpecifiers
  /** Imports to add: local names by exported name, by specifier. */
  readonly added = new Map<string, Map<string, string>>()

  constructor(
    { source, imports, scopeOf }: ReadFile,
    others: Iterable<string>,
    takesStringNames: boolean,
    specifiers: MessageSpecifiers,
  ) {
    this.#specifiers = specifiers
    this.#takesStringNames = takesStringNames
    for (const name of others) this.#taken.add(name)
    const walk = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) this.#taken.add(node.text)
      ts.forEachChild(node, walk)
    }
    walk(source)
    const top = scopeOf(source)
    for (const { specifier, name } of imports) {
      const known = specifiers.read(specifier)
      if (known?.startsWith('~uilm/') !== true) continue
      for (const [local, binding] of top.names) {
        if (binding.kind === 'import' && binding.specifier === specifier && binding.name === name) {
          this.#locals.set(`${known}\n${name}`, local)
        }
      }
    }
  }

  /** Returns the local name of a message: its key, or a name derived from it. */
  ofMessage(module: string, { name, key }: MessageModel): string {
    const specifier = specifierOf(module)
    const known = [name, key].map((one) => this.#locals.get(`${specifier}\n${one}`))
    const local = known.find((one) => one !== undefined)
    if (local !== undefined) return local
    const isString = name !== key && this.#takesStringNames && hasStringName(key)
    return this.#add(specifier, isString ? key : name, aliasOf(key))
  }

  /** Returns the local name of another export of `~uilm/…`. */
  of(specifier: string, name: string): string {
    return this.#locals.get(`${specifier}\n${name}`) ?? this.#add(specifier, name, name)
  }

  /** Returns a name that nothing in the file has. */
  local(wanted: string): string {
    const suffix = /\p{Ll}/u.test(wanted) ? 'Text' : '_TEXT'
    let local = wanted
    for (let count = 1; this.#taken.has(local); count++) {
      local = `${wanted}${suffix}${count === 1 ? '' : count}`
    }
    this.#taken.add(local)
    return local
  }

  #add(specifier: string, name: string, wanted: string): string {
    const local = this.local(wanted)
    this.#locals.set(`${specifier}\n${name}`, local)
    const written = this.#specifiers.write(specifier)
    const added = this.added.get(written) ?? new Map<string, string>()
    this.added.set(written, added.set(name, local))
    return local
  }
}
