/**
 * Returns the schema names that the name of a field with ids may refer to, in lower case, the
 * longest first: `favouriteproduct` and `product` for `FavouriteProductIds`, none for `Name`.
 */
export function schemaReferences(fieldName: string): readonly string[] {
  const words = /^(.+?)_?(?:[Ii]ds?|IDs?)$/.exec(fieldName)?.[1]?.split(/(?=\p{Lu})|_/u) ?? []
  return words.map((_, index) => words.slice(index).join('').toLowerCase())
}
