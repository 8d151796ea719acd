import { checkOptions, ConfigError, readChoice } from '@servicekit/client'
import { isObject } from '@servicekit/core'
import type { WriteTarget } from './key-writer.ts'

/**
 * Validates the option `writeTo`.
 *
 * @param within Returns the absolute path of a folder.
 * @throws ConfigError
 */
export function checkWriteTarget(
  target: WriteTarget | undefined,
  within: (path: string) => string,
): WriteTarget | undefined {
  if (target === undefined || target === 'platform' || typeof target === 'function') return target
  if (!isObject(target)) throw invalid(JSON.stringify(target))
  if ('folder' in target) {
    checkOptions('writeTo option', target, ['folder'])
    if (typeof target.folder !== 'string' || target.folder === '') {
      throw new ConfigError('writeTo.folder must be the path of a folder')
    }
    return { folder: within(target.folder) }
  }
  if ('import' in target) {
    checkOptions('writeTo option', target, ['import'])
    checkImport(target.import)
    return target
  }
  if (typeof target['list'] === 'function' && typeof target['create'] === 'function') return target
  throw invalid(`an object with ${Object.keys(target).join(', ') || 'nothing'}`)
}

function checkImport(target: unknown): void {
  if (!isObject(target)) throw new ConfigError('writeTo.import must be an object with a url')
  checkOptions('writeTo.import option', target, ['url', 'method', 'headers', 'body'])
  const { url, method, body } = target
  if (typeof url !== 'string') throw new ConfigError('writeTo.import.url is required')
  if (method !== undefined) readChoice('writeTo.import.method', method, ['POST', 'PUT'])
  if (body !== undefined && typeof body !== 'function') {
    throw new ConfigError('writeTo.import.body must be a function')
  }
}

const invalid = (received: string): ConfigError =>
  new ConfigError(
    `writeTo must be 'platform', {folder}, {import}, a function, or an object with the functions list and create (received ${received})`,
  )
