import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core'

interface VirtualRowsOptions {
  readonly count: number
  readonly rowHeight: number
  /** Height of the header, which covers the first rows of the element. */
  readonly headerHeight: number
  readonly element: HTMLElement | undefined
}

/** Rows to render around the visible ones. */
const overscan = 8

/**
 * Returns the rows that are visible in a scrolling element. Call it while a component is
 * initialised.
 */
export function createVirtualRows(options: () => VirtualRowsOptions) {
  let items = $state.raw<readonly VirtualItem[]>([])
  let height = $state(0)
  const update = (virtualizer: Virtualizer<HTMLElement, Element>): void => {
    items = virtualizer.getVirtualItems()
    height = virtualizer.getTotalSize()
  }
  const resolve = () => {
    const { count, rowHeight, headerHeight, element } = options()
    return {
      count,
      getScrollElement: () => element ?? null,
      estimateSize: () => rowHeight,
      scrollPaddingStart: headerHeight,
      overscan,
      observeElementOffset,
      observeElementRect,
      scrollToFn: elementScroll,
      onChange: update,
    }
  }
  const virtualizer = new Virtualizer<HTMLElement, Element>({
    ...resolve(),
    count: 0,
    getScrollElement: () => null,
  })
  $effect(() => virtualizer._didMount())
  $effect(() => {
    virtualizer.setOptions(resolve())
    virtualizer.measure()
    virtualizer._willUpdate()
    update(virtualizer)
  })
  return {
    get items() {
      return items
    },
    /** Height of all rows in pixels. */
    get height() {
      return height
    },
    scrollTo: (index: number, align: 'auto' | 'center' = 'auto') =>
      virtualizer.scrollToIndex(index, { align }),
  }
}
