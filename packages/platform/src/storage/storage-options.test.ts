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
  it('are a local folder by default', () => {
    expect(resolveOptions().storage).toEqual([{ name: 'Default', strategy: 'Local' }])
  })

  it.each([
    [[{ ...s3, strategy: 'Ftp' }], /storage\[0\]: strategy must be one of/],
    [[{ ...s3, strategy: 'constructor' }], /storage\[0\]: strategy must be one of/],
    [[{ ...s3, region: '' }], /region is missing/],
    [[{ ...s3, secret: 'very secret' }], /there is no secret/],
    [[s3, s3], /names must be unique/],
    [[{ strategy: 'Local' }], /name is missing/],
  ])('are refused: %j', (storage, message) => {
    const resolve = () => resolveOptions({ storage: storage as unknown as StorageOptions[] })
    expect(resolve).toThrow(message)
    expect(resolve).not.toThrow(/very secret/)
  })
})
