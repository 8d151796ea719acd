import { STATE_NEEDS_REVIEW, STATE_REVIEWED, STATE_TRANSLATED } from '~uilm/translations'

/** Names of the states that a translation can be given. */
export const stateNames = {
  translated: STATE_TRANSLATED,
  needsReview: STATE_NEEDS_REVIEW,
  reviewed: STATE_REVIEWED,
}
