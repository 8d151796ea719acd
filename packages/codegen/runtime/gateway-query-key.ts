/** Key of a query whose data has the type T. The option `queryOptions` selects its form. */
export type GatewayQueryKey<T> = readonly unknown[] & { readonly '~data'?: T }
