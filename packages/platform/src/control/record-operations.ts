import { records as operations } from '@servicekit/contract/control'
import { implementControl } from './control-operation.ts'

/** Operations on the records of data schemas, beyond those of the data gateway. */
export const recordOperations = [
  implementControl(
    operations.importRecords,
    async ({ services, project, caller, path, body }) => {
      const gateway = await services.gateway()
      return gateway.importRecords(project, caller.id, { schemaName: path.schema, ...body })
    },
    { maxBytes: operations.maxRecordBytes, isExact: true },
  ),
]
