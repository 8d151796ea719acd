import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../resolve-options.ts'
import type { StorageOptions } from './storage-options.ts'

const s3 = {
  name: 'S',
  strategy: 'Amazon',
  bucket: 'b',
  region: 'r',
  accessKeyId: 'i',
  secretAccessKey: 'very secret',
} as const

describe('storage options', () => {
  it('default to a local folder', () => {
    expect(resolveOptions().storage).toEqual([{ name: 'Default', strategy: 'Local' }])
  })

  it.each([
    [[{ ...s3, strategy: 'Ftp' }], /storage\[0\]\.strategy: must be one of/],
    [[{ ...s3, strategy: 'constructor' }], /storage\[0\]\.strategy: must be one of/],
    [[{ ...s3, region: '' }], /storage\[0\]\.region: must be a non-empty string/],
    [[{ ...s3, secret: 'very secret' }], /Unknown option "storage\[0\]\.secret"/],
    [[s3, s3], /names must be unique/],
    [[{ strategy: 'Local' }], /storage\[0\]\.name: must be a non-empty string/],
  ])('rejects %j', (storage, message) => {
    const resolve = () => resolveOptions({ storage: storage as unknown as StorageOptions[] })
    expect(resolve).toThrow(message)
    expect(resolve).not.toThrow(/very secret/)
  })
})
