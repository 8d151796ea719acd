import { isObject } from '@servicekit/core'
import type { storage as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { listing, type Listing, type ListOptions } from './listing.ts'
import { type Known, listIn, operate, pick, nonEmptyString, wrongShape } from './operate.ts'
import { parseBody } from './parse-body.ts'

/** File (section 2.11: the interface does not define its fields). */
export type StoredFile = Omit<Known<contract.File>, 'parentDirectoryID'> & {
  readonly parentDirectoryId: string | undefined
  /** Record as received. */
  readonly raw: unknown
}

/**
 * Storage configuration. Other members of the response are dropped and there is no `raw`,
 * because some instances return credentials in it.
 */
export interface StorageConfiguration {
  /** Id; undefined if the instance does not return it. */
  readonly itemId: string | undefined
  /** Name, used as `configurationName` in other operations. */
  readonly name: string
  /** Storage strategy in lower case: `azure`, `amazon`, `s3compatible`, `sftpstorage`. */
  readonly strategy: string
}

/**
 * Lists the storage configurations of the project.
 *
 * @throws RequestError, OperationError
 * @see section 4.4
 */
export async function listConfigurations(
  core: Core,
  call: CallOptions = {},
): Promise<readonly StorageConfiguration[]> {
  const intent = 'list the storage configurations'
  const route = routes.storageListConfigurations
  const input = { ...call, intent }
  const body = await operate(core, route, input, ({ text }) => parseBody(text)).catch(
    (error: unknown) => {
      // Some instances return credentials, which no error may contain.
      const { body } = error as { readonly body?: unknown }
      throw Object.assign(error as object, {
        body: isObject(body) ? withoutRecords(body) : undefined,
      })
    },
  )
  const list = listIn(body)
  if (!list) throw wrongShape(core, route, intent, 'a list')
  return list.filter(isObject).map((one) => ({
    itemId: nonEmptyString(one['itemId']),
    name: nonEmptyString(pick(one, 'name')) ?? '',
    strategy: (nonEmptyString(pick(one, 'storageStrategy')) ?? '').toLowerCase(),
  }))
}

const withoutRecords = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value === null || /err|mess|success|title|detail|status/i.test(name),
    ),
  )

/**
 * Lists files.
 *
 * @throws RequestError, OperationError
 * @see section 4.4
 */
export function listFiles(
  core: Core,
  {
    filter,
    ...options
  }: ListOptions & { readonly filter?: Readonly<Record<string, unknown>> } = {},
): Listing<StoredFile> {
  const { projectKey } = core
  return listing(
    core,
    {
      route: routes.storageListFiles,
      intent: 'list the files',
      first: 0,
      input: (request) => ({ json: { ...request, filter, projectKey } }),
      read: (record) => ({
        ...(record as contract.File),
        parentDirectoryId: nonEmptyString(pick(record, 'parentDirectoryID')),
        raw: record,
      }),
    },
    options,
  )
}
