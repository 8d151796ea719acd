import { describeAccessMatrix } from '@servicekit/testing/access-matrix'
import { onEachEngine } from '@servicekit/testing/engines'

onEachEngine((engine) => {
  describeAccessMatrix(engine.open)
})
