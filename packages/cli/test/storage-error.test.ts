import { expect, it } from 'vitest'
import { StorageError } from '../../platform/src/storage/storage-error.ts'
import { exitCode, exitCodeOf, isKnownError } from '../src/exit-codes.ts'

it('does not take the absence of a bucket, or of the storage, for a bug', () => {
  const absentBucket = new StorageError('files', { $metadata: { httpStatusCode: 404 } })
  expect(absentBucket.message).toBe('The storage "files" rejected the request with 404.')
  for (const error of [absentBucket, new StorageError('files', new Error('ECONNREFUSED'))]) {
    expect([isKnownError(error), exitCodeOf(error)]).toEqual([true, exitCode.network])
  }
})
