import { type FileEdit, isManual, type ManualEdit, type Planned, readIn } from './edits.ts'

/** Edits that are planned for an application. Several edits of one file become one. */
export class Drafts {
  readonly #root: string
  readonly #edits = new Map<string, FileEdit>()
  readonly #manual: ManualEdit[] = []

  constructor(root: string) {
    this.#root = root
  }

  /** Returns a file with the edits planned so far; undefined if there is none. */
  read(path: string): Promise<string | undefined> {
    const edit = this.#edits.get(path)
    return edit ? Promise.resolve(edit.after) : readIn(this.#root, path)
  }

  add(planned: Planned): void {
    if (!planned) return
    if (isManual(planned)) {
      this.#manual.push(planned)
      return
    }
    const earlier = this.#edits.get(planned.path)
    this.#edits.set(planned.path, earlier ? { ...planned, before: earlier.before } : planned)
  }

  all(): readonly (FileEdit | ManualEdit)[] {
    return [...this.#edits.values(), ...this.#manual]
  }
}
