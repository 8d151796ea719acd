/** The tasks of the page, by the name of their file. */
export const tasks = {
  list: 'list with optional filters, sorted by a column, one page, with the number of all rows',
  get: 'one record by its id, or null',
  relation: 'the ten newest records with the name of the record that they refer to',
  columns: 'rows with columns chosen at run time',
  insert: 'insert',
  update: 'update of one record by its id',
  'update-many': 'update of all records that match a condition, with their number',
  'delete-many': 'delete of all records that match two conditions, with their number',
  'pick-list': 'pick list of another schema, with a search',
  form: 'validation of the values of a form, then an insert, or the fields with problems',
}

/** Mistakes, each of which is applied as an edit to the tasks of each tool. */
export const mistakes = {
  select: 'misspelled field in a selection',
  condition: 'value of the wrong type in a condition',
  required: 'missing required field of an insert',
  enum: 'unknown value of an enum',
  unconditional: 'empty condition of an update of many',
  unselected: 'field read that is not selected',
  null: 'null not handled',
  direction: 'wrong sort direction',
  relation: 'unknown relation',
  id: 'id of the wrong type',
}
