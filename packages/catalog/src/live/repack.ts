import { once } from '@servicekit/core'
import type { Catalog } from '../model/catalog.ts'
import { isRightToLeft } from '../model/languages.ts'
import { buildModel, type Model, modelOptions } from '../model/model.ts'
import type { Problem } from '../model/problem.ts'
import { catalogOf } from '../snapshot/snapshot.ts'
import type { BuildManifest } from './build-manifest.ts'
import { createMerge } from './merge-message.ts'
import { emitPackFiles, type PackFile } from '../emit/pack-files.ts'

/** Name of the file that points at the newest packs. */
export const pointerName = 'uilm-current.json'

/** Content of `uilm-current.json`, which pages with the plugin option `live` request. */
export interface LivePointer {
  /** Version of the format. */
  readonly version: 1
  /** Display name by language code, the default language first. */
  readonly languages: Readonly<Record<string, string>>
  /** Codes of the languages that are written from right to left. */
  readonly rtl: readonly string[]
  /**
   * Hash of the newest packs by the hash of the built ones; without chunks whose packs are
   * those of the build.
   */
  readonly packs: Readonly<Record<string, string>>
}

/** Packs for an existing build, compiled from other translations. */
export interface Repacked {
  /** Packs that differ from those of the build, with unique names. */
  readonly packs: readonly PackFile[]
  readonly pointer: LivePointer
  /** Chunks with other packs than those of the build. */
  readonly changedChunks: number
  /** Translations that were refused, and keys that were removed. */
  readonly problems: readonly Problem[]
}

/**
 * Compiles the packs of an existing build from other translations: newer ones, those of
 * another project, or more languages. A pack is the same file, with the same name, that a
 * build from these translations would have.
 *
 * A translation whose parameters or tags differ from those that the build passes is
 * refused: the translation of the build remains, and so does that of a removed key.
 *
 * @param translations Model of a project, which saves half of the time, or its catalog.
 */
export function repack(manifest: BuildManifest, translations: Catalog | Model): Repacked {
  const model = modelFor(manifest, translations)
  const { messageOf, problems } = createMerge(manifest, model, builtModel(manifest))
  const packs = new Map<string, PackFile>()
  const hashes: [string, string][] = []
  for (const chunk of manifest.chunks) {
    const messages = chunk.keys.map(([module, key]) => messageOf(module, key))
    const files = emitPackFiles(model, messages)
    if (files.hash === chunk.hash) continue
    hashes.push([chunk.hash, files.hash])
    for (const pack of files.packs) packs.set(pack.name, pack)
  }
  return {
    packs: [...packs.values()],
    pointer: pointerOf(model, hashes),
    changedChunks: hashes.length,
    problems: problems(),
  }
}

/** Formats a pointer for its file. */
export const printPointer = (pointer: LivePointer): string => `${JSON.stringify(pointer)}\n`

function pointerOf({ catalog }: Model, hashes: readonly [string, string][]): LivePointer {
  const codes = catalog.languages.map(({ code }) => code)
  return {
    version: 1,
    languages: Object.fromEntries(catalog.languages.map(({ code, name }) => [code, name])),
    rtl: codes.filter(isRightToLeft),
    packs: Object.fromEntries(hashes),
  }
}

/** Returns the model of translations with the options of the build. */
function modelFor(manifest: BuildManifest, translations: Catalog | Model): Model {
  const { options } = manifest
  if (!('catalog' in translations)) return buildModel(onlyUsed(translations, manifest), options)
  const isSame = JSON.stringify(modelOptions(translations.options)) === JSON.stringify(options)
  return isSame ? translations : buildModel(onlyUsed(translations.catalog, manifest), options)
}

/** Returns the modules of a catalog that the build uses. */
const onlyUsed = (catalog: Catalog, { messages }: BuildManifest): Catalog => ({
  ...catalog,
  modules: catalog.modules.filter(({ name }) => Object.hasOwn(messages, name)),
})

/** Returns a function that creates the messages as they were built, once. */
const builtModel = ({
  defaultLanguage,
  languages,
  translations,
  options,
}: BuildManifest): (() => Model) =>
  once(() => {
    const modules = Object.keys(translations)
    const names = { defaultLanguage, languages, modules }
    const catalog = catalogOf(names, ({ language, module }) => {
      const file = translations[module]?.[language]
      return file && new Map(Object.entries(file))
    })
    return buildModel(catalog, options)
  })
